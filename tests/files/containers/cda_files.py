"""A CDA document with planted identifiers in header, narrative, entries and attached files."""

from __future__ import annotations

import base64

NOTE = "Paciente Ana Muñoz Soto, NHC 7654321. Ingresa el 03/05/2024 con fiebre de 38,5 ºC.\n"
PLANTED = (
    "Muñoz", "Mu&#241;oz", "Soto", "7654321", "982123456", "ana.munoz", "Mayor 3", "Monforte", "27400", "Ferreiro",
    "272712345", "19540305", "20240503", "03/05/2024", "Lucus", "Pedro", "612345678", "88776655", "DOC-0001",
    "7f1c0f4e-0d1a-4f61-9f6e-111111111111", "ACT-5544", "JFIF-foto", "c2hhMQ==",
)  # fmt: skip


def _packed(content: bytes) -> str:
    return base64.b64encode(content).decode()


def cda(narrative: str = "", body: str = "", encoding: str = "UTF-8") -> bytes:
    return f"""<?xml version="1.0" encoding="{encoding}"?>
<?xml-stylesheet type="text/xsl" href="CDA.xsl"?>
<ClinicalDocument xmlns="urn:hl7-org:v3" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">
  <!-- Informe de Ana Muñoz -->
  <typeId root="2.16.840.1.113883.1.3" extension="POCD_HD000040"/>
  <templateId root="2.16.840.1.113883.10.20.22.1.1" extension="2015-08-01"/>
  <id root="2.16.724.4.8" extension="DOC-0001"/>
  <code code="18842-5" codeSystem="2.16.840.1.113883.6.1" displayName="Discharge summary"/>
  <title>Informe de alta de Ana Mu&#241;oz</title>
  <effectiveTime value="20240503101500+0200"/>
  <confidentialityCode code="N" codeSystem="2.16.840.1.113883.5.25"/>
  <setId root="7f1c0f4e-0d1a-4f61-9f6e-111111111111"/>
  <recordTarget><patientRole>
    <id root="2.16.724.4.40" extension="7654321"/>
    <addr use="HP"><streetAddressLine>Calle Mayor 3</streetAddressLine><city>Monforte</city>
      <state>Lugo</state><postalCode>27400</postalCode><country>ES</country></addr>
    <telecom value="tel:982123456" use="HP"/><telecom value='mailto:ana.munoz@correo.es'/>
    <patient>
      <name><prefix>Sra.</prefix><given>Ana</given><family>Muñoz</family><family>Soto</family></name>
      <administrativeGenderCode code="F" codeSystem="2.16.840.1.113883.5.1" displayName="Female"/>
      <birthTime value="19540305"/>
      <guardian><addr>Calle Mayor 3, Monforte</addr><telecom value="612345678"/>
        <guardianPerson><name>Pedro Soto</name></guardianPerson></guardian>
      <birthplace><place><addr><city>Monforte</city></addr></place></birthplace>
    </patient>
    <providerOrganization><id root="2.16.724.4.8.10"/><name>Hospital Lucus Augusti</name></providerOrganization>
  </patientRole></recordTarget>
  <author><time value="20240503"/><assignedAuthor><id root="2.16.724.4.8" extension="272712345"/>
    <assignedPerson><name>Dr. Luis <family>Ferreiro</family></name></assignedPerson></assignedAuthor></author>
  <custodian><assignedCustodian><representedCustodianOrganization><id root="2.16.724.4.8.10"/>
    <name>Hospital Lucus Augusti</name></representedCustodianOrganization></assignedCustodian></custodian>
  <legalAuthenticator><time value="20240503"/><signatureCode code="S"/><assignedEntity>
    <id extension="272712345" root="2.16.724.4.8"/><assignedPerson><name><given>Luis</given>
    <family>Ferreiro</family></name></assignedPerson></assignedEntity></legalAuthenticator>
  <componentOf><encompassingEncounter><id root="2.16.724.4.8" extension="88776655"/>
    <effectiveTime><low value="20240503"/><high nullFlavor="UNK"/></effectiveTime></encompassingEncounter></componentOf>
  <component>{body or _structured(narrative)}</component>
</ClinicalDocument>
""".encode(encoding)


def _structured(narrative: str) -> str:
    return f"""<structuredBody><component><section>
    <templateId root="2.16.840.1.113883.10.20.22.2.5"/><code code="8648-8" codeSystem="2.16.840.1.113883.6.1"/>
    <title>Evolución</title>
    <text><paragraph ID="p1">La Sra. <content styleCode="Bold">An</content>a Muñoz
        Soto acude el 03/05/2024.</paragraph><list><item>Vista por Luis Ferreiro</item></list>
      <table border="1"><thead><tr><th>Nombre</th><th>NHC</th></tr></thead><tbody><tr><td>Ana Mu&#241;oz</td>
      <td>7654321</td></tr></tbody></table><paragraph><![CDATA[Ana Muñoz & 5 < 6]]></paragraph>{narrative}</text>
    <entry><observation classCode="OBS" moodCode="EVN"><id root="2.16.724.4.8" extension="ACT-5544"/>
      <code code="718-7" codeSystem="2.16.840.1.113883.6.1" displayName="Hemoglobin"><originalText>
      <reference value="#p1"/></originalText></code><text>Analítica de Ana Muñoz</text><statusCode code="completed"/>
      <effectiveTime value="202405030810"/><value xsi:type="PQ" value="12.50" unit="g/dL"/>
      <entryRelationship typeCode="REFR"><act classCode="ACT" moodCode="EVN"><id root="2.16.724.4.8"
      extension="ACT-5544"/><code nullFlavor="NA"/></act></entryRelationship></observation></entry>
    <entry><observationMedia classCode="OBS" moodCode="EVN"><value mediaType="image/jpeg" representation="B64"
      >{_packed(bytes([255, 216, 255, 224]) + b"JFIF-foto")}</value></observationMedia></entry>
    <entry><act classCode="ACT" moodCode="EVN"><code nullFlavor="NA"/><text mediaType="text/plain" representation="B64"
      integrityCheck="c2hhMQ==">
      {_packed(NOTE.encode())}
      </text></act></entry>
  </section></component></structuredBody>"""
