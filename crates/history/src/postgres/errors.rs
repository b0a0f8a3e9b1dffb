//! Converts errors of PostgreSQL and of the connection.

use crate::HistoryError;
use postgres::error::SqlState;
use std::error::Error;

pub(super) fn fail(place: &str) -> impl Fn(postgres::Error) -> HistoryError {
    let place = place.to_owned();
    move |error| of(&place, &error)
}

fn of(place: &str, error: &postgres::Error) -> HistoryError {
    let (place, reason) = (place.to_owned(), reason(error));
    let Some(code) = error.code() else {
        return HistoryError::Unreachable { place, reason };
    };
    match *code {
        SqlState::LOCK_NOT_AVAILABLE | SqlState::QUERY_CANCELED => HistoryError::Busy { place },
        SqlState::INSUFFICIENT_PRIVILEGE | SqlState::READ_ONLY_SQL_TRANSACTION => {
            HistoryError::NotAllowed { place, reason }
        }
        SqlState::INVALID_PASSWORD | SqlState::INVALID_AUTHORIZATION_SPECIFICATION | SqlState::INVALID_CATALOG_NAME => {
            HistoryError::Refused { place, reason }
        }
        SqlState::ADMIN_SHUTDOWN
        | SqlState::CRASH_SHUTDOWN
        | SqlState::CANNOT_CONNECT_NOW
        | SqlState::TOO_MANY_CONNECTIONS
        | SqlState::IDLE_IN_TRANSACTION_SESSION_TIMEOUT => HistoryError::Unreachable { place, reason },
        _ => HistoryError::Other { place, reason },
    }
}

/// The database's message, or the cause of the client's error.
pub(super) fn reason(error: &postgres::Error) -> String {
    if let Some(said) = error.as_db_error() {
        return said.message().to_owned();
    }
    let mut texts = vec![error.to_string()];
    let mut source = error.source();
    while let Some(inner) = source {
        texts.push(inner.to_string());
        source = inner.source();
    }
    // Most errors repeat their cause.
    texts.dedup_by(|inner, outer| outer.contains(inner.as_str()));
    texts.join(": ")
}

pub(super) fn connecting(place: &str, error: &postgres::Error) -> HistoryError {
    // A missing password, an untrusted certificate or missing TLS: retrying does not help.
    let is_refused =
        |text: &str| ["password", "TLS", "certificate", "authentication"].iter().any(|word| text.contains(word));
    match reason(error) {
        reason if error.code().is_none() && is_refused(&reason) => {
            HistoryError::Refused { place: place.to_owned(), reason }
        }
        _ => of(place, error),
    }
}
