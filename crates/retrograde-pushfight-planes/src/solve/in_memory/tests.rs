//! Phases find the same positions with all instructions and row widths, whatever is skipped and cached.

use retrograde_game::Turns;
use retrograde_pushfight::PushFight;
use retrograde_solve::Silent;
use retrograde_testkit::some_of;

use crate::kernel::simd::SimdLevel;
use crate::layout::numbering::Layout;
use crate::layout::scope::Scope;
use crate::layout::sparse::SparseCells;
use crate::phase::engine::Engine;
use crate::phase::kinds::Phase;
use crate::solve::steps::run_phase;
use crate::testing::{game, indices};

/// The positions that each phase finds, sorted. With `skips`, blocks without a push into new wins are
/// skipped; the push cache may take `push_cache` bytes.
fn found(game: &PushFight, level: SimdLevel, skips: bool, push_cache: Option<u64>) -> Vec<Vec<u64>> {
    let mut engine = Engine::new(Layout::new(game, Scope::All).unwrap(), level, 2);
    engine.push_cache = push_cache.map(|_| crate::phase::push_cache::PushCache::new(&engine.layout));
    let find =
        |engine: &Engine, phase: Phase<'_>| run_phase(engine, &Silent, Turns(0).into(), phase).unwrap().0;
    let undecided = find(&engine, Phase::Initial);
    let mut lists = vec![indices(game, &engine.layout, &undecided)];
    engine.set_undecided(undecided);
    let mut newest = find(&engine, Phase::NoPush);
    engine.remove_decided(&newest);
    for turns in 1..100 {
        lists.push(indices(game, &engine.layout, &newest));
        let wins = (skips && turns > 2).then_some(&*newest);
        if let (Some(kept), Some(most)) = (&mut engine.push_cache, push_cache) {
            kept.begin(Turns(turns + turns % 2), most);
        }
        let phase =
            if turns % 2 == 0 { Phase::Losses(&engine.undecided, wins) } else { Phase::Wins(&newest) };
        let next = find(&engine, phase);
        engine.remove_decided(&next);
        let over = turns > 1 && next.iter().all(SparseCells::is_empty);
        newest = next;
        if over {
            return lists;
        }
    }
    unreachable!("small boards are done before")
}

fn lists(game: &PushFight, level: SimdLevel) -> Vec<Vec<u64>> {
    let most = found(game, level, false, None);
    // The pushes of no set of pushers are cached, of some, and of all.
    for push_cache in some_of(3, [None, Some(0), Some(50_000), Some(u64::MAX)]) {
        assert!(found(game, level, true, push_cache) == most, "{push_cache:?}");
    }
    most
}

#[test]
fn all_instruction_sets_and_row_widths_agree() {
    let mut widths = std::collections::BTreeSet::new();
    for name in [
        "pushfight:mini,pushers=2,pawns=1",
        "pushfight:mini,pushers=1,pawns=2,moves=unlimited",
        "pushfight:x.board,pushers=1,pawns=3",
        "pushfight:x.board,pushers=1,pawns=4",
        "pushfight:wide.board,pushers=1,pawns=5,moves=1",
    ] {
        let game = game(name);
        widths.insert(Layout::new(&game, Scope::All).unwrap().words);
        let expected = lists(&game, SimdLevel::Portable);
        assert!(expected.iter().filter(|list| !list.is_empty()).count() > 2, "{name}");
        assert_eq!(lists(&game, SimdLevel::best()), expected, "{name}");
    }
    assert_eq!(widths.into_iter().collect::<Vec<_>>(), [2, 4, 8, 32]);
}
