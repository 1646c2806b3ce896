"""Ed25519 signatures and signed statements of the casino.

Python's standard library has no Ed25519, so OpenSSL verifies: its library, loaded once,
where that can be found, or else the program openssl, a process for each signature.
"""

import base64
import binascii
import ctypes
import ctypes.util
import functools
import os
import re
import subprocess
import sys
import tempfile


def verify_by_process(public, message, signature):
    """Verify with the program openssl; public is a SubjectPublicKeyInfo."""
    with tempfile.TemporaryDirectory() as folder:
        names = [os.path.join(folder, name) for name in ("key", "text", "signature")]
        for name, data in zip(names, (public, message, signature)):
            with open(name, "wb") as file:
                file.write(data)
        command = ["openssl", "pkeyutl", "-verify", "-pubin", "-keyform", "DER", "-inkey", names[0], "-rawin", "-in", names[1], "-sigfile", names[2]]
        return subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False).returncode == 0


class Library:
    """OpenSSL's library, which keeps the keys that it has read."""

    def __init__(self, path):
        crypto = ctypes.CDLL(path)
        pointer, size = ctypes.c_void_p, ctypes.c_size_t
        for name, result, arguments in (
                ("d2i_PUBKEY", pointer, [pointer, ctypes.POINTER(ctypes.c_char_p), ctypes.c_long]),
                ("EVP_MD_CTX_new", pointer, []),
                ("EVP_MD_CTX_free", None, [pointer]),
                ("EVP_DigestVerifyInit", ctypes.c_int, [pointer, pointer, pointer, pointer, pointer]),
                ("EVP_DigestVerify", ctypes.c_int, [pointer, ctypes.c_char_p, size, ctypes.c_char_p, size])):
            function = getattr(crypto, name)
            function.restype, function.argtypes = result, arguments
        self.crypto, self.keys = crypto, {}

    def verify(self, public, message, signature):
        if public not in self.keys:
            self.keys[public] = self.crypto.d2i_PUBKEY(None, ctypes.byref(ctypes.c_char_p(public)), len(public))
        key, context = self.keys[public], self.crypto.EVP_MD_CTX_new()
        if not key or not context:
            return False
        try:
            if self.crypto.EVP_DigestVerifyInit(context, None, None, None, key) != 1:
                return False
            return self.crypto.EVP_DigestVerify(context, signature, len(signature), message, len(message)) == 1
        finally:
            self.crypto.EVP_MD_CTX_free(context)


@functools.lru_cache(maxsize=None)
def load_verify():
    """Return what verifies: the library on Linux (elsewhere loading it may end the program), or the process."""
    if sys.platform == "linux":
        for path in (ctypes.util.find_library("crypto"), "libcrypto.so.3", "libcrypto.so.1.1"):
            try:
                return Library(path).verify
            except (OSError, AttributeError, TypeError):
                continue
    return verify_by_process


# A SubjectPublicKeyInfo of Ed25519 is these bytes and the 32 of the key.
ED25519 = bytes.fromhex("302a300506032b6570032100")


def key_bytes(public):
    """Return the SubjectPublicKeyInfo of a base64 text, None for another kind of key or none."""
    data = decode(public, len(ED25519) + 32)
    return data if data and data.startswith(ED25519) else None


def decode(text, length):
    """Return the bytes of a base64 text, None unless it is the only one of as many bytes."""
    try:
        data = base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError, TypeError):
        return None
    return data if len(data) == length and base64.b64encode(data).decode() == text else None


class Keys:
    """The receipt keys of an answer of GET /public/keys."""

    def __init__(self, keys):
        self.keys = [(key.get("kid"), key_bytes(key.get("publicKey"))) for key in keys if key.get("use") == "receipts"]
        self.signed, self.verify = {}, load_verify()

    def knows(self, kid):
        return any(name == kid for name, _ in self.keys)

    def is_signed(self, kid, text, signature):
        """Say whether a key of the name signed the text; the same question is asked once."""
        asked = (kid, text, signature)
        if asked not in self.signed:
            message = text.encode("utf-8", "surrogatepass")
            self.signed[asked] = any(self.verify(key, message, signature) for name, key in self.keys if name == kid and key)
        return self.signed[asked]


class Statement:
    """A signed statement: its lines as pairs of a name and a value, in their order."""

    def __init__(self, lines):
        self.lines = lines
        self.facts = dict(lines)

    def whole(self, name):
        """Return a fact that is a whole number, None for another."""
        value = self.facts.get(name, "")
        return int(value) if re.fullmatch("0|[1-9][0-9]{0,18}", value) and int(value) < 2**63 else None


def open_statement(keys, signed, purpose):
    """Return the statement of {statement, kid, signature} and None, or None and what is wrong with it."""
    signed = signed if isinstance(signed, dict) else {}
    text, kid, signature = (signed.get(name) for name in ("statement", "kid", "signature"))
    data = decode(signature, 64)
    if not (type(text) is str and type(kid) is str and data):
        return None, "it has no statement, kid or signature"
    if not keys.knows(kid):
        return None, "no published receipt key is named %s" % kid[:80]
    if not keys.is_signed(kid, text, data):
        return None, "the statement is not signed by the key"
    lines = text.split("\n")
    if lines[:2] != ["casino statement 1", "purpose: " + purpose] or lines[-1] != "" or not all(": " in line for line in lines[2:-1]):
        return None, "it is no statement with the purpose %s" % purpose
    return Statement([tuple(line.split(": ", 1)) for line in lines[1:-1]]), None
