#!/usr/bin/python3
"""certificates.py DIR - certificates for tests, good and bad, as DIR/NAME.crt and DIR/NAME.key.

`authority` signs all but `self`, and vouches for them where SSL_CERT_FILE names it.
"""
import datetime
import ipaddress
import os
import sys

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, rsa
from cryptography.x509.oid import NameOID

NOW = datetime.datetime.utcnow()
DAY = datetime.timedelta(days=1)
HERE = [x509.DNSName("localhost"), x509.IPAddress(ipaddress.ip_address("127.0.0.1"))]


def name(text):
    return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, text)])


def make(title, signer=None, key=None, begins=NOW - DAY, ends=NOW + DAY, names=HERE, digest=hashes.SHA256(), is_ca=False):
    """A pair in files; returns it, to sign others with."""
    key = key or ec.generate_private_key(ec.SECP256R1())
    issuer, with_key = (name(title), key) if signer is None else (signer[0].subject, signer[1])
    certificate = (
        x509.CertificateBuilder()
        .subject_name(name(title))
        .issuer_name(issuer)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(begins)
        .not_valid_after(ends)
        .add_extension(x509.SubjectAlternativeName(names), critical=False)
        .add_extension(x509.BasicConstraints(ca=is_ca, path_length=None), critical=True)
        .sign(with_key, digest)
    )
    path = os.path.join(sys.argv[1], title)
    with open(path + ".crt", "wb") as out:
        out.write(certificate.public_bytes(serialization.Encoding.PEM))
    with open(os.open(path + ".key", os.O_WRONLY | os.O_CREAT, 0o600), "wb") as out:
        out.write(key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()))
    return certificate, key


AUTHORITY = make("authority", is_ca=True)
make("self")
make("good", AUTHORITY)
make("rsa", AUTHORITY, key=rsa.generate_private_key(65537, 2048))
make("expired", AUTHORITY, begins=NOW - 3 * DAY, ends=NOW - DAY)
make("early", AUTHORITY, begins=NOW + DAY, ends=NOW + 3 * DAY)
make("other", AUTHORITY, names=[x509.DNSName("poker.example.org")])
make("weak", AUTHORITY, key=rsa.generate_private_key(65537, 1024))
make("sha1", AUTHORITY, digest=hashes.SHA1())
