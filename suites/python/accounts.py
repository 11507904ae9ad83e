"""Accounts by firebase_admin.auth, and signing in as apps do."""

import datetime
import hashlib
import hmac
import os
import urllib.parse

import firebase_admin
import requests
from firebase_admin import auth
from google.auth import credentials

from harness import Cases, equal, raises
from server import PROJECT

cases = Cases()


class Administrator(firebase_admin.credentials.Base):
    """Credentials that emulators take."""

    def get_credential(self):
        class Owner(credentials.Credentials):
            def refresh(self, request):
                self.token = "owner"

        return Owner()


firebase_admin.initialize_app(Administrator(), {"projectId": PROJECT})
ORIGIN = f"http://{os.environ['FIREBASE_AUTH_EMULATOR_HOST']}"
SALT = b"saltsalt"
IMPORTED = b"imported-pass"


def rest(method, **body):
    """A request of an app: its answer, or the words of its error."""
    url = f"{ORIGIN}/identitytoolkit.googleapis.com/v1/accounts:{method}?key=any"
    answer = requests.post(url, json=body, timeout=30).json()
    return answer.get("error", {}).get("message", answer)


def sign_in(email, password):
    return rest("signInWithPassword", email=email, password=password, returnSecureToken=True)


def code_of(link):
    return urllib.parse.parse_qs(urllib.parse.urlparse(link).query)["oobCode"][0]


@cases("an account is made and found")
def _():
    auth.create_user(
        uid="ann", email="ann@x.test", password="secret-pass-1", display_name="Ann", phone_number="+15555550100",
        photo_url="http://x.test/a.png", email_verified=True,
    )  # fmt: skip
    found = [auth.get_user("ann"), auth.get_user_by_email("ANN@x.test"), auth.get_user_by_phone_number("+15555550100")]
    equal([(one.uid, one.display_name, one.email_verified) for one in found], [("ann", "Ann", True)] * 3)
    many = auth.get_users([auth.UidIdentifier("ann"), auth.EmailIdentifier("none@x.test")])
    equal(([one.uid for one in many.users], len(many.not_found)), (["ann"], 1))


@cases("accounts are not made twice, and missing ones are said to be")
def _():
    raises(auth.EmailAlreadyExistsError, lambda: auth.create_user(email="ann@x.test"))
    raises(auth.UidAlreadyExistsError, lambda: auth.create_user(uid="ann"))
    raises(auth.PhoneNumberAlreadyExistsError, lambda: auth.create_user(phone_number="+15555550100"))
    raises(auth.UserNotFoundError, lambda: auth.get_user("nobody"))
    raises(auth.UserNotFoundError, lambda: auth.delete_user("nobody"))
    raises(auth.EmailNotFoundError, lambda: auth.generate_password_reset_link("none@x.test"))


@cases("an account is changed, disabled and enabled")
def _():
    gone = auth.DELETE_ATTRIBUTE
    user = auth.update_user("ann", display_name=gone, phone_number=gone, photo_url=gone, disabled=True)
    equal((user.display_name, user.phone_number, user.photo_url, user.disabled), (None, None, None, True))
    equal(sign_in("ann@x.test", "secret-pass-1"), "USER_DISABLED")
    auth.update_user("ann", disabled=False)
    assert "idToken" in sign_in("ann@x.test", "secret-pass-1")


@cases("claims reach the token, and a revoked one is told from others")
def _():
    auth.set_custom_user_claims("ann", {"admin": True, "level": 3})
    signed = sign_in("ann@x.test", "secret-pass-1")
    token = auth.verify_id_token(signed["idToken"], check_revoked=True)
    equal((token["uid"], token["admin"], token["level"], token["aud"]), ("ann", True, 3, PROJECT))
    cookie = auth.create_session_cookie(signed["idToken"], expires_in=datetime.timedelta(hours=1))
    equal(auth.verify_session_cookie(cookie, check_revoked=True)["uid"], "ann")
    # Revocation counts whole seconds, as the service does.
    while datetime.datetime.now().timestamp() < token["iat"] + 1:
        pass
    auth.revoke_refresh_tokens("ann")
    raises(auth.RevokedIdTokenError, lambda: auth.verify_id_token(signed["idToken"], check_revoked=True))
    raises(auth.RevokedSessionCookieError, lambda: auth.verify_session_cookie(cookie, check_revoked=True))
    body = {"grant_type": "refresh_token", "refresh_token": signed["refreshToken"]}
    answer = requests.post(f"{ORIGIN}/securetoken.googleapis.com/v1/token?key=any", data=body, timeout=30)
    equal(answer.json()["error"]["message"], "TOKEN_EXPIRED")


@cases("a custom token signs in with its claims")
def _():
    token = auth.create_custom_token("custom", {"tier": "gold"}).decode()
    signed = rest("signInWithCustomToken", token=token, returnSecureToken=True)
    claims = auth.verify_id_token(signed["idToken"])
    equal((claims["uid"], claims["tier"], claims["firebase"]["sign_in_provider"]), ("custom", "gold", "custom"))


@cases("links hold a code that is used once")
def _():
    settings = auth.ActionCodeSettings(url="http://localhost/done", handle_code_in_app=True)
    links = [auth.generate_email_verification_link, auth.generate_sign_in_with_email_link]
    for link in links:
        assert "oobCode=" in link("ann@x.test", settings)
    code = code_of(auth.generate_password_reset_link("ann@x.test", settings))
    equal(rest("resetPassword", oobCode=code)["requestType"], "PASSWORD_RESET")
    equal(rest("resetPassword", oobCode=code, newPassword="changed-pass-2")["email"], "ann@x.test")
    equal(rest("resetPassword", oobCode=code, newPassword="changed-pass-3"), "INVALID_OOB_CODE")
    assert "idToken" in sign_in("ann@x.test", "changed-pass-2")


HASHES = {
    "HMAC-SHA256": (
        auth.UserImportHash.hmac_sha256(b"key"), hmac.new(b"key", IMPORTED + SALT, hashlib.sha256).digest(),
    ),
    "SHA-256": (auth.UserImportHash.sha256(1), hashlib.sha256(SALT + IMPORTED).digest()),
    "SHA-512": (auth.UserImportHash.sha512(2), hashlib.sha512(hashlib.sha512(SALT + IMPORTED).digest()).digest()),
    "MD5": (auth.UserImportHash.md5(0), hashlib.md5(SALT + IMPORTED).digest()),
    "PBKDF2-SHA256": (
        auth.UserImportHash.pbkdf2_sha256(1000), hashlib.pbkdf2_hmac("sha256", IMPORTED, SALT, 1000, 64),
    ),
    "PBKDF-SHA1": (auth.UserImportHash.pbkdf_sha1(1000), hashlib.pbkdf2_hmac("sha1", IMPORTED, SALT, 1000, 64)),
    "scrypt": (
        auth.UserImportHash.standard_scrypt(
            memory_cost=1024, parallelization=16, block_size=8, derived_key_length=64
        ),
        hashlib.scrypt(IMPORTED, salt=SALT, n=1024, r=8, p=16, dklen=64, maxmem=64 << 20),
    ),
}  # fmt: skip


def imported(name):
    kind, digest = HASHES[name]
    email = f"{name.lower()}@import.test"
    user = auth.ImportUserRecord(name, email=email, password_hash=digest, password_salt=SALT)
    result = auth.import_users([user], hash_alg=kind)
    equal((result.success_count, result.failure_count), (1, 0))
    assert "idToken" in sign_in(email, IMPORTED.decode())


for title in HASHES:
    cases(f"passwords imported as {title} sign in")(lambda title=title: imported(title))


@cases("accounts are listed in pages and deleted together")
def _():
    page = auth.list_users(max_results=3)
    equal((len(page.users), page.has_next_page, len(page.get_next_page().users)), (3, True, 3))
    every = [one.uid for one in auth.list_users().iterate_all()]
    equal(sorted(every), sorted(["ann", "custom", *HASHES]))
    result = auth.delete_users([*HASHES, "nobody"])
    equal((result.success_count, result.failure_count), (len(HASHES) + 1, 0))


@cases("providers are configured")
def _():
    auth.create_oidc_provider_config("oidc.p", client_id="c", issuer="https://i.test", enabled=True)
    equal([one.provider_id for one in auth.list_oidc_provider_configs().iterate_all()], ["oidc.p"])
    auth.create_saml_provider_config(
        "saml.p", idp_entity_id="e", sso_url="https://i.test/s", x509_certificates=["C"], rp_entity_id="r",
        callback_url="https://c.test/cb", enabled=True,
    )  # fmt: skip
    equal(auth.get_saml_provider_config("saml.p").idp_entity_id, "e")
