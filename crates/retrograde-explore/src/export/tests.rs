//! Writes a small made-up table in every format and reads it back.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use retrograde_game::{
    Dense, Game, Index, Knowledge, Mark, Outcome, Picture, Score, Seat, Show, TextError, Turns, Value,
};
use retrograde_solve::Scores;
use retrograde_table::{Count, Counts, MemoryStorage, StartValue, Storage};
use retrograde_testkit::tempdir;

use super::data_set::*;
use crate::store::in_memory::InMemory;
use crate::{Entry, Error, OpenGame};

/// A game that has rows. The tests do not ask for anything else.
struct Rows(u64);

fn known(index: u64) -> Knowledge {
    match index % 4 {
        0 => Knowledge::Exact(Value::Win(Turns(index as u16 % 1000 + 1))),
        1 => Knowledge::Exact(Value::Loss(Turns(index as u16 % 1000 + 1))),
        2 => Knowledge::Exact(Value::Draw),
        _ => Knowledge::Unknown,
    }
}

fn planes(index: u64) -> [u8; 6] {
    std::array::from_fn(|bit| (index >> bit) as u8 & 1)
}

impl Game for Rows {
    type Position = u64;
    type Turn = u64;
    const RULES_VERSION: u32 = 1;

    fn name(&self) -> String {
        "rows".to_owned()
    }
    fn position_count(&self) -> u128 {
        self.0.into()
    }
    fn start(&self) -> u64 {
        0
    }
    fn result(&self, _: &u64) -> Option<Outcome> {
        None
    }
    fn turns(&self, _: &u64) -> Vec<(u64, u64)> {
        unreachable!()
    }
    fn parse_position(&self, _: &str) -> Result<u64, TextError> {
        unreachable!()
    }
    fn position_text(&self, position: &u64) -> String {
        format!("p{position}")
    }
    fn turn_text(&self, _: &u64, _: &u64) -> String {
        unreachable!()
    }
}

impl Dense for Rows {
    const INDEX_VERSION: u32 = 1;

    fn index_count(&self) -> u128 {
        u128::from(self.0) * 10
    }
    fn index(&self, position: &u64) -> Option<Index> {
        Some(Index(position * 10))
    }
    fn position(&self, index: Index) -> Option<u64> {
        index.0.is_multiple_of(10).then_some(index.0 / 10)
    }
}

impl Show for Rows {
    fn picture(&self, _: &u64, _: Seat) -> Picture {
        unreachable!()
    }
    fn marks(&self, _: &u64, _: &u64, _: Seat) -> Vec<Mark> {
        unreachable!()
    }
    fn plane_names(&self) -> Vec<&'static str> {
        vec!["own"]
    }
    fn plane_shape(&self) -> (usize, usize) {
        (2, 3)
    }
    fn planes(&self, position: &u64, out: &mut [u8]) {
        out.copy_from_slice(&planes(*position));
    }
}

/// A game of `rows` rows with its values.
fn open(rows: u64) -> OpenGame {
    let nowhere: Arc<dyn Storage> = Arc::new(MemoryStorage::new());
    let game = Entry::new(Rows(rows), "").dense().build();
    let mut open = game.explore_in(nowhere, Path::new("")).unwrap();
    let score = |index: u64| match index.is_multiple_of(10) {
        true => match known(index / 10) {
            Knowledge::Exact(value) => u16::from_value(value).unwrap(),
            _ => u16::UNKNOWN,
        },
        false => u16::NONE,
    };
    open.values = Some(Box::new(InMemory {
        scores: Scores::Wide((0..rows * 10).map(score).collect()),
        counts: Counts { positions: Count(rows.into()), ..Counts::default() },
        start: StartValue { outcome: None, turns: None },
        seconds: 0.0,
        horizon: None,
        prelude: 0,
    }));
    open
}

fn all(path: &Path, rows: u64) -> Result<Written, Error> {
    open(rows).export(path, None, Selection::default(), &mut |_| true)
}

#[test]
fn csv_has_one_line_per_position() {
    let folder = tempdir().unwrap();
    let path = folder.path().join("set.csv");
    assert_eq!(all(&path, 5).unwrap(), Written { rows: 5, files: vec![path.clone()], planes: Vec::new() });
    let expected =
        "index,position,outcome,turns\n0,p0,win,1\n10,p1,loss,2\n20,p2,draw,\n30,p3,,\n40,p4,win,5\n";
    assert_eq!(fs::read_to_string(path).unwrap(), expected);
}

fn array<T: npyz::Deserialize>(path: &Path) -> (Vec<u64>, Vec<T>) {
    let bytes = fs::read(path).unwrap();
    let file = npyz::NpyFile::new(&bytes[..]).unwrap();
    (file.shape().to_vec(), file.into_vec().unwrap())
}

#[test]
fn npy_arrays_agree_row_by_row() {
    let folder = tempdir().unwrap();
    for rows in [0_u64, 1, 7] {
        let path = folder.path().join("set.npy");
        let written = all(&path, rows).unwrap();
        assert_eq!((written.rows, written.files.len()), (rows, 4));
        let (shape, planes_read) = array::<u8>(&path);
        assert_eq!(shape, [rows, 1, 2, 3]);
        assert_eq!(planes_read, (0..rows).flat_map(planes).collect::<Vec<_>>());
        let beside = |what: &str| path.with_extension(what);
        assert_eq!(array::<u64>(&beside("index.npy")).1, (0..rows).map(|n| n * 10).collect::<Vec<_>>());
        let (outcomes, turns) = (array::<i8>(&beside("outcome.npy")).1, array::<i32>(&beside("turns.npy")).1);
        for row in 0..rows {
            let expected = [1, -1, 0, 2][row as usize % 4];
            assert_eq!(outcomes[row as usize], expected);
            let expected = known(row).turns().map_or(-1, |turns| i32::from(turns.0));
            assert_eq!(turns[row as usize], expected);
        }
    }
}

#[cfg(feature = "parquet")]
#[test]
fn parquet_can_be_read_back() {
    use ::parquet::file::reader::{FileReader, SerializedFileReader};
    use ::parquet::record::Field;

    let folder = tempdir().unwrap();
    let path = folder.path().join("set.parquet");
    let rows = (1 << 18) + 3;
    assert_eq!(all(&path, rows).unwrap().rows, rows);
    let reader = SerializedFileReader::new(fs::File::open(path).unwrap()).unwrap();
    assert_eq!(reader.num_row_groups(), 2);
    let about = reader.metadata().file_metadata().key_value_metadata().unwrap();
    assert!(about.iter().any(|pair| pair.key == "plane_shape" && pair.value.as_deref() == Some("1,2,3")));
    // With this, Arrow's readers return a fixed-size list of six for the planes: pyarrow 26 reads it as
    // `fixed_size_list<element: uint8 not null>[6]`.
    let schema = about.iter().find(|pair| pair.key == "ARROW:schema").and_then(|pair| pair.value.as_deref());
    assert_eq!(schema, Some(include_str!("arrow-schema.txt").trim_end()));
    let mut count = 0;
    for (number, row) in reader.get_row_iter(None).unwrap().enumerate() {
        let (row, number) = (row.unwrap(), number as u64);
        let fields: Vec<_> = row.get_column_iter().map(|(_, field)| field.clone()).collect();
        assert_eq!(fields[0], Field::ULong(number * 10));
        assert_eq!(fields[1], Field::Str(format!("p{number}")));
        match known(number).outcome() {
            Some(outcome) => assert_eq!(fields[2], Field::Str(outcome.word().to_owned())),
            None => assert_eq!(fields[2], Field::Null),
        }
        match known(number).turns() {
            Some(turns) => assert_eq!(fields[3], Field::UShort(turns.0)),
            None => assert_eq!(fields[3], Field::Null),
        }
        let Field::ListInternal(list) = &fields[4] else { panic!("{:?}", fields[4]) };
        assert_eq!(list.elements(), planes(number).map(Field::UByte));
        count += 1;
    }
    assert_eq!(count, rows);
}

#[test]
fn limits_and_samples_keep_the_order() {
    let folder = tempdir().unwrap();
    let path = folder.path().join("set.csv");
    let read = |selection: Selection| -> Vec<u64> {
        open(100).export(&path, None, selection, &mut |_| true).unwrap();
        let text = fs::read_to_string(&path).unwrap();
        text.lines().skip(1).map(|line| line.split(',').next().unwrap().parse().unwrap()).collect()
    };
    assert_eq!(read(Selection { limit: Some(3), sample: None }), [0, 10, 20]);
    assert!(read(Selection { limit: Some(0), sample: None }).is_empty());
    let sample = read(Selection { limit: None, sample: Some((20, 7)) });
    assert_eq!(sample.len(), 20);
    assert!(sample.is_sorted_by(|a, b| a < b), "{sample:?}");
    assert_eq!(
        sample,
        read(Selection { limit: None, sample: Some((20, 7)) }),
        "a seed always gives the same sample"
    );
    assert_ne!(sample, read(Selection { limit: None, sample: Some((20, 8)) }));
    assert_eq!(read(Selection { limit: None, sample: Some((1000, 7)) }).len(), 100);
}

#[test]
fn failures_leave_no_file() {
    let folder = tempdir().unwrap();
    let error = all(&folder.path().join("set.txt"), 3).unwrap_err().to_string();
    assert!(error.contains(".csv"), "{error}");
    let error = all(&folder.path().join("missing/set.csv"), 3).unwrap_err().to_string();
    assert!(error.contains("missing"), "{error}");
    let path = folder.path().join("set.npy");
    let stopped = open(1 << 15).export(&path, None, Selection::default(), &mut |_| false);
    assert!(matches!(stopped, Err(Error::Stopped)));
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0, "something was left behind");
}
