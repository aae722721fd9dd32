"""The application: middleware, routes, and the state that they share.

Routes turn requests into jobs for the workers and changes of the project, and results into responses. Nothing below
imports this package.
"""
