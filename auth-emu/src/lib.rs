//! Accounts, sign-in and tokens: the identitytoolkit and securetoken services.
