//! Where a NATS server is, and how to be let in. Secrets come from the environment or from files, never from the command line:
//! that is visible to other users.

use std::fmt;
use std::path::PathBuf;
use std::time::Duration;

use async_nats::{Client, ConnectError, ConnectErrorKind, ConnectOptions};

/// How long a connection may take.
const CONNECT: Duration = Duration::from_secs(5);

/// How long an answer to a request may take.
const REQUEST: Duration = Duration::from_secs(2);

/// A group of workers at a server: `nats://host:4222/group`, or `tls://…`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NatsAddress {
    server: String,
    pub(super) group: String,
    is_tls: bool,
}

impl NatsAddress {
    /// Whether a text is meant to be an address of this kind.
    pub fn is_one(text: &str) -> bool {
        text.starts_with("nats://") || text.starts_with("tls://")
    }

    /// Reads `nats://host:port/group`.
    pub fn parse(text: &str) -> Result<Self, String> {
        let (scheme, rest) = text.split_once("://").ok_or("write it as nats://host:4222/group")?;
        let (server, group) = rest.split_once('/').ok_or("name a group of workers, as in nats://host:4222/group")?;
        Self::new(scheme, server, group)
    }

    /// A group at `nats://host:port`.
    pub fn of_group(url: &str, group: &str) -> Result<Self, String> {
        let (scheme, server) = url.split_once("://").ok_or("write it as nats://host:4222")?;
        Self::new(scheme, server.trim_end_matches('/'), group)
    }

    fn new(scheme: &str, server: &str, group: &str) -> Result<Self, String> {
        if server.contains('@') {
            return Err("a password on the command line is visible to other users; set WHITTLE_NATS_USER and \
                        WHITTLE_NATS_PASSWORD, or WHITTLE_NATS_TOKEN"
                .to_owned());
        }
        if server.is_empty() || !is_group(group) || !matches!(scheme, "nats" | "tls") {
            return Err("write it as nats://host:4222/group; groups have letters, digits, - and _".to_owned());
        }
        Ok(Self { server: server.to_owned(), group: group.to_owned(), is_tls: scheme == "tls" })
    }

    /// Checks what the environment says about the account: a secret that cannot be read will not appear while we wait.
    pub fn check_account() -> Result<(), String> {
        account(&|name| std::env::var(name).ok()).map(drop)
    }

    pub(super) async fn connect(&self) -> Result<Client, NoConnection> {
        let mut options = account(&|name| std::env::var(name).ok()).map_err(NoConnection::Account)?;
        options = options.name("whittle").connection_timeout(CONNECT).request_timeout(Some(REQUEST));
        if self.is_tls {
            options = options.require_tls(true);
        }
        Ok(options.connect(format!("nats://{}", self.server)).await?)
    }
}

/// Why there is no connection to a server.
#[derive(Debug, thiserror::Error)]
pub(super) enum NoConnection {
    /// What the environment says about the account cannot be used.
    #[error("{0}")]
    Account(String),
    #[error(transparent)]
    Server(#[from] ConnectError),
}

impl NoConnection {
    /// Whether another try would fail, too.
    pub(super) fn is_final(&self) -> bool {
        use ConnectErrorKind::{Authentication, AuthorizationViolation, ServerParse};
        match self {
            Self::Account(_) => true,
            Self::Server(error) => matches!(error.kind(), Authentication | AuthorizationViolation | ServerParse),
        }
    }
}

/// Whether a text can be the name of a group: it becomes a part of a subject.
fn is_group(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_'))
}

impl fmt::Display for NatsAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let scheme = if self.is_tls { "tls" } else { "nats" };
        write!(f, "{scheme}://{}/{}", self.server, self.group)
    }
}

/// What the environment says about who we are.
fn account(variable: &dyn Fn(&str) -> Option<String>) -> Result<ConnectOptions, String> {
    let secret = |name: &str| -> Result<Option<String>, String> {
        if let Some(value) = variable(name) {
            return Ok(Some(value));
        }
        let Some(path) = variable(&format!("{name}_FILE")) else { return Ok(None) };
        let text = std::fs::read_to_string(&path).map_err(|error| format!("{name}_FILE: {path}: {error}"))?;
        Ok(Some(text.trim_end().to_owned()))
    };
    let mut options = ConnectOptions::new();
    if let Some(token) = secret("WHITTLE_NATS_TOKEN")? {
        options = options.token(token);
    }
    if let Some(user) = secret("WHITTLE_NATS_USER")? {
        options = options.user_and_password(user, secret("WHITTLE_NATS_PASSWORD")?.unwrap_or_default());
    }
    if let Some(seed) = secret("WHITTLE_NATS_NKEY")? {
        options = options.nkey(seed);
    }
    if let Some(credentials) = secret("WHITTLE_NATS_CREDENTIALS")? {
        // Its last line must have an end, which is lost when it is read from a file or kept in a variable.
        let credentials = format!("{credentials}\n");
        options = options.credentials(&credentials).map_err(|error| format!("WHITTLE_NATS_CREDENTIALS: {error}"))?;
    }
    if let Some(path) = variable("WHITTLE_NATS_CA_FILE") {
        std::fs::metadata(&path).map_err(|error| format!("WHITTLE_NATS_CA_FILE: {path}: {error}"))?;
        options = options.add_root_certificates(PathBuf::from(path)).require_tls(true);
    }
    Ok(options)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_read_and_secrets_in_them_refused() {
        let address = NatsAddress::parse("nats://host:4222/night-shift").unwrap();
        assert_eq!((address.to_string().as_str(), address.is_tls), ("nats://host:4222/night-shift", false));
        assert_eq!(NatsAddress::of_group("tls://host/", "a").unwrap().to_string(), "tls://host/a");
        assert!(NatsAddress::parse("nats://me:secret@host/a").unwrap_err().contains("visible to other users"));
        for wrong in ["nats://host", "nats://host/", "nats:///a", "nats://host/a.b", "nats://host/*", "http://host/a"] {
            assert!(NatsAddress::parse(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn a_secret_that_cannot_be_read_is_an_error() {
        let missing = |name: &str| (name == "WHITTLE_NATS_TOKEN_FILE").then(|| "/missing/token".to_owned());
        assert!(account(&missing).unwrap_err().starts_with("WHITTLE_NATS_TOKEN_FILE: /missing/token: "));
        assert!(account(&|_| None).is_ok());
    }
}
