//! V10: after each transition the state that is kept up to date equals the state worked out again from scratch.

use trackside_engine::instance::Instance;

use crate::oracle::Violation;

/// Audits an instance ([`Instance::audit`]).
///
/// # Errors
///
/// [`Violation`] of V10 says what differs.
pub fn audit(instance: &Instance) -> Result<(), Violation> {
    let audited = instance.audit();
    audited.map_err(|differs| Violation::new("V10", "ORJ-6", None, differs.to_string()))
}
