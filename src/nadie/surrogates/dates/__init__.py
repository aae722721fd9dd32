"""Moving dates by the secret shift of a patient, and writing them in the form of the original."""
