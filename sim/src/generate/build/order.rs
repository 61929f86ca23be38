//! Elements in another order than that of the flow.

use trackside_engine::model::{Definitions, NodeKind, ScopeRef};

/// Shuffles the nodes and the flows of every scope, and puts the scopes in the order in which they open then.
pub(super) fn shuffle(definitions: &mut Definitions, seed: u16) {
    let mut dice = u32::from(seed) << 16 | u32::from(seed);
    for scope in &mut definitions.scopes {
        mix(&mut scope.nodes, &mut dice);
        mix(&mut scope.flows, &mut dice);
    }
    if definitions.scopes.len() > 1 {
        reopen(definitions);
    }
}

/// Fisher and Yates, with numbers that are good enough to mix some dozens of elements.
fn mix<T>(list: &mut [T], dice: &mut u32) {
    for index in (1..list.len()).rev() {
        // Marsaglia's xorshift; never 0, since the seed is not.
        *dice ^= *dice << 13;
        *dice ^= *dice >> 17;
        *dice ^= *dice << 5;
        let other = (u64::from(*dice) * (index as u64 + 1)) >> 32;
        list.swap(index, other as usize);
    }
}

fn reopen(definitions: &mut Definitions) {
    let mut order = Vec::with_capacity(definitions.scopes.len());
    let mut pending = vec![0];
    while let Some(scope) = pending.pop() {
        order.push(scope);
        let inner = definitions.scopes[scope]
            .nodes
            .iter()
            .filter_map(|node| match node.kind {
                NodeKind::SubProcess { body, .. } => Some(body.0 as usize),
                _ => None,
            });
        let mark = pending.len();
        pending.extend(inner);
        pending[mark..].reverse();
    }
    let mut place = vec![ScopeRef(0); order.len()];
    for (new, &old) in (0..).zip(&order) {
        place[old] = ScopeRef(new);
    }
    let mut scopes: Vec<_> = order
        .iter()
        .map(|&old| std::mem::take(&mut definitions.scopes[old]))
        .collect();
    for scope in &mut scopes {
        scope.parent = scope.parent.map(|old| place[old.0 as usize]);
        for node in &mut scope.nodes {
            if let NodeKind::SubProcess { body, .. } = &mut node.kind {
                *body = place[body.0 as usize];
            }
        }
    }
    definitions.scopes = scopes;
}
