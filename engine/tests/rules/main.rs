//! The rules of `docs/semantics.md`, each pinned by scenarios that are data.
//!
//! A test names its rule (`par_2_…` is PAR-2). Models are in the text notation, what the outside does is a [`script`],
//! and what must come of it is an [`expect`]ation, derived from the rule. `docs/semantics.md` lists the tests of every
//! rule, and [`docs`] checks the list.

mod blocks;
mod expect;
mod kinds;
mod marks;
mod orj_rows;
mod race_model;
mod run;
mod scenario;
mod script;

mod bnd;
mod cpx;
mod depth;
mod docs;
mod ends;
mod err;
mod esp;
mod evg;
mod evt;
mod field;
mod gateways;
mod ins;
mod laws;
mod orj;
mod orj_table;
mod races;
mod symbolic;
mod trk;
mod validation;
