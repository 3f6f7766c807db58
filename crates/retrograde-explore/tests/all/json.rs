//! Tests the exact JSON that programs receive: names, order and types of fields are part of the interface.

use std::sync::Arc;

use crate::common::{LIMITS, Strip, options};
use retrograde_explore::{AnyGame, Entry, Number, Numbering, Position, Resources, SearchLimits};
use retrograde_game::{Seat, Show};
use retrograde_solve::Silent;
use retrograde_testkit::tempdir;
use serde::Serialize;

const STRIP: Strip = Strip(3);

/// Numbers strips from the other end.
struct Mirrored {
    beside: bool,
}

impl Numbering for Mirrored {
    fn name(&self) -> &str {
        if self.beside { "mirrored" } else { "huge" }
    }
    fn beside(&self) -> bool {
        self.beside
    }
    fn number(&self, position: &Position) -> Option<Number> {
        let position: u64 = *position.get();
        if position == 0 {
            return None;
        }
        if !self.beside {
            return Some(Number::from(u128::from(position) << 60));
        }
        let mut number = Number::from(u128::from(position.reverse_bits() >> (64 - STRIP.0)));
        number.details.insert("turned".to_owned(), true.into());
        Some(number)
    }
    fn position(&self, index: u128) -> Option<Position> {
        if !self.beside {
            return u64::try_from(index >> 60).ok().map(Position::new);
        }
        u64::try_from(index).ok().map(|index| Position::new(index.reverse_bits() >> (64 - STRIP.0)))
    }
    fn counts(&self) -> Vec<(String, String)> {
        vec![("squares".to_owned(), STRIP.0.to_string())]
    }
    fn statistics(
        &self,
        values: &retrograde_explore::ValueLookup<'_>,
    ) -> Result<Option<Vec<(String, String)>>, retrograde_explore::Error> {
        let outcome = values(&Position::new(0_u64))?.outcome().map_or("unknown", |outcome| outcome.word());
        Ok(self.beside.then(|| vec![("start".to_owned(), outcome.to_owned())]))
    }
}

fn entry() -> Arc<AnyGame> {
    Strip::fill(Entry::new(STRIP, "A strip.").layered())
        .with(|game| {
            game.numberings = vec![Box::new(Mirrored { beside: true }), Box::new(Mirrored { beside: false })]
        })
        .counts(|_| vec![("even".to_owned(), 4)])
        .build()
}

#[track_caller]
fn is<T: Serialize>(value: &T, json: &str) {
    assert_eq!(serde_json::to_string(value).unwrap(), json);
}

#[test]
fn answers_as_json() {
    let tables = tempdir().unwrap();
    let entry = entry();
    let mut solved = entry.solve(tables.path(), &options(), &Silent).unwrap();
    solved.seconds = Some(0.5);
    is(
        &solved,
        r#"{"game":"strip:3","positions":8,"wins":5,"losses":3,"draws":0,"start":{"outcome":"win","turns":2},"by_turns":{"win":{"0":1,"2":4},"loss":{"1":3}},"seconds":0.5,"result":"solved"}"#,
    );
    let explore = entry.explore(tables.path()).unwrap();
    is(
        &explore.probe("X__", Seat::Second, &LIMITS).unwrap(),
        r#"{"game":"strip:3","position":"X__","board":"X__","to_move":"second","outcome":"win","turns":2,"source":"table","turns_available":[{"turn":"b","turn_on_board":"b","position":"XX_","outcome":"win","turns":2},{"turn":"c","turn_on_board":"c","position":"X_X","outcome":"win","turns":2},{"turn":"bc","turn_on_board":"bc","position":"XXX","outcome":"loss","turns":1}]}"#,
    );
    is(
        &explore.line("_X_", Seat::First, 9, &LIMITS).unwrap(),
        r#"{"game":"strip:3","position":"_X_","outcome":"win","turns":2,"source":"table","line":[{"position":"_X_","board":"_X_","to_move":"first","outcome":"win","turns":2,"turn":"a","turn_on_board":"a"},{"position":"XX_","board":"XX_","to_move":"second","outcome":"loss","turns":1,"turn":"c","turn_on_board":"c"}],"end":"XXX","end_board":"XXX","end_to_move":"first","ends":"over"}"#,
    );
    is(
        &explore.index("_XX", None).unwrap(),
        r#"{"game":"strip:3","position":"_XX","index":6,"mirrored":{"index":3,"turned":true}}"#,
    );
    is(
        &explore.index("___", None).unwrap(),
        r#"{"game":"strip:3","position":"___","index":0,"mirrored":null}"#,
    );
    is(
        &explore.index("_XX", Some("mirrored")).unwrap(),
        r#"{"game":"strip:3","position":"_XX","index":3,"turned":true}"#,
    );
    is(
        &explore.index("_XX", Some("huge")).unwrap(),
        r#"{"game":"strip:3","position":"_XX","index":"6917529027641081856"}"#,
    );
    is(
        &explore.position("3", Some("mirrored")).unwrap(),
        r#"{"game":"strip:3","position":"_XX","index":3,"turned":true}"#,
    );
    let mut verification = explore.verify(None, &Resources::new(1, None, &Silent)).unwrap();
    verification.proof = "…".to_owned();
    is(
        &verification,
        r#"{"game":"strip:3","blocks":1,"positions":8,"full":true,"proof":"…","proved":true,"errors":[],"error_count":0}"#,
    );
    let played = ["ab".to_owned(), "c".to_owned()];
    is(
        &explore.annotate("___", Seat::First, &played, &LIMITS).unwrap(),
        r#"[{"turn":"ab","turn_on_board":"ab","player":"first","position":"XX_","before":{"outcome":"win","turns":2},"after":{"outcome":"win","turns":2},"mark":"","better":null,"better_on_board":null,"better_value":null,"comment":""},{"turn":"c","turn_on_board":"c","player":"second","position":"XXX","before":{"outcome":"loss","turns":1},"after":{"outcome":"loss","turns":1},"mark":"","better":null,"better_on_board":null,"better_value":null,"comment":""}]"#,
    );
    is(
        &entry.about(),
        r#"{"game":"strip:3","summary":"A strip.","positions":8,"indices":8,"start":"___","numberings":["mirrored","huge"]}"#,
    );
    let mut plan = entry.plan(&options());
    (plan.seconds, plan.memory.0, plan.disk.0) = (Some(0.5), 1 << 60, 9);
    plan.advice = "…".to_owned();
    is(
        &plan,
        r#"{"game":"strip:3","positions":8,"method":"fill","memory":"1152921504606846976","disk":9,"work":0,"seconds":0.5,"fits":true,"advice":"…","counts":[["even",4]],"notes":["Solves 64 or more positions at a time with bit operations."]}"#,
    );
    let lines = |name: &str, value: &str| vec![(name.to_owned(), value.to_owned())];
    assert_eq!(explore.numbering_counts("huge").unwrap(), lines("squares", "3"));
    assert_eq!(explore.numbering_statistics("mirrored").unwrap(), lines("start", "win"));
    assert!(explore.numbering_statistics("huge").is_err());
}

#[test]
fn trees_are_counted() {
    let entry = entry();
    let tables = tempdir().unwrap();
    let explore = entry.explore(tables.path()).unwrap();
    // Three squares: 5 turns; then 3 after an end square (one of them ends the game), 2 after the
    // middle, 1 after a pair.
    for (depth, leaves) in [(0, 1), (1, 5), (2, 3 + 2 + 3 + 1 + 1), (3, 2 + 2 + 2), (4, 0)] {
        let counted = explore.perft("___", depth, &SearchLimits::NONE, &Silent).unwrap();
        assert_eq!(counted, (leaves, true), "depth {depth}");
    }
    // The first position and three of the five after it.
    let few = SearchLimits { nodes: 4, ..SearchLimits::NONE };
    let (leaves, complete) = explore.perft("___", 2, &few, &Silent).unwrap();
    assert!(!complete && (3..10).contains(&leaves), "{leaves}");
}

#[test]
fn scenes_follow_the_turns() {
    let entry = entry();
    let tables = tempdir().unwrap();
    let explore = entry.explore(tables.path()).unwrap();
    let scenes = explore.scenes("___", Seat::Second, &["ab".to_owned()]).unwrap();
    assert_eq!(scenes.len(), 2);
    assert_eq!(scenes[0].turn.as_deref(), Some("ab"));
    assert_eq!(scenes[0].marks, Strip(3).marks(&0, &3, Seat::Second));
    assert_eq!((scenes[0].picture.to_move, scenes[1].picture.to_move), (Seat::Second, Seat::First));
    assert!(scenes[1].turn.is_none() && scenes[1].marks.is_empty());
    assert_eq!(explore.play("___", "ab").unwrap(), ("XX_".to_owned(), true));
    assert_eq!(explore.turns("XX_").unwrap(), [("c".to_owned(), "XXX".to_owned())]);
    assert_eq!(explore.row_shape().columns, 3);
}
