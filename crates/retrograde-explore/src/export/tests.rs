//! A small made-up table, written in every form and read back.

use std::fs;
use std::path::Path;

use retrograde_game::{Knowledge, Outcome, Seat, Turns, Value};
use retrograde_solve::Progress;
use retrograde_testkit::tempdir;

use super::data_set::*;
use super::{PublishJob, PublishedFile};
use crate::{
    Annotation, Certificate, FindQuery, Found, Line, NumberedPosition, Positions, Probe, Puzzle, PuzzleKind,
    Resources, Scene, SearchLimits, Source, Statistics, Verdict, Verification, Visit,
};
use crate::{Error, Explore, Row, RowShape};

/// Has rows and nothing else: no other question is asked here.
struct Rows(u64);

fn known(index: u64) -> Knowledge {
    match index % 4 {
        0 => Knowledge::Exact(Value::Win(Turns(index as u16 + 1))),
        1 => Knowledge::Exact(Value::Loss(Turns(index as u16 + 1))),
        2 => Knowledge::Exact(Value::Draw),
        _ => Knowledge::Unknown,
    }
}

fn planes(index: u64) -> [u8; 6] {
    std::array::from_fn(|bit| (index >> bit) as u8 & 1)
}

impl Explore for Rows {
    fn row_shape(&self) -> RowShape {
        RowShape { planes: vec!["own".to_owned()], rows: 2, columns: 3 }
    }
    fn row_count(&self) -> Result<u64, Error> {
        Ok(self.0)
    }
    fn rows(&self, visit: &mut dyn FnMut(Row<'_>) -> Result<bool, Error>) -> Result<(), Error> {
        for number in 0..self.0 {
            let (position, index) = (format!("p{number}"), number * 10);
            let row = Row { index, position: &position, planes: &planes(number), knowledge: known(number) };
            if !visit(row)? {
                break;
            }
        }
        Ok(())
    }
    fn values_of(&self, _: &Positions<'_>, _: &mut dyn FnMut(Knowledge)) -> Result<(), Error> {
        unreachable!()
    }
    fn indices_of(&self, _: &Positions<'_>, _: &mut dyn FnMut(Option<u64>)) -> Result<(), Error> {
        unreachable!()
    }
    fn planes_of(&self, _: &Positions<'_>, _: Seat, _: &mut dyn FnMut(&[u8])) -> Result<(), Error> {
        unreachable!()
    }
    fn texts_of(&self, _: &Positions<'_>, _: &mut dyn FnMut(String)) -> Result<(), Error> {
        unreachable!()
    }
    fn random_indices(&self, _: u64, _: u64) -> Result<Vec<u64>, Error> {
        unreachable!()
    }
    fn name(&self) -> &str {
        "rows"
    }
    fn has_table(&self) -> bool {
        true
    }
    fn stamp(&self) -> String {
        unreachable!()
    }
    fn start(&self) -> String {
        unreachable!()
    }
    fn memory(&self) -> u64 {
        unreachable!()
    }
    fn limit_cache(&mut self, _: u64) {
        unreachable!()
    }
    fn pressure(
        &self,
        _: &str,
        _: Seat,
        _: crate::ListPage,
        _: &SearchLimits,
    ) -> Result<crate::Pressure, Error> {
        unreachable!()
    }
    fn steps_page(
        &self,
        _: &str,
        _: Seat,
        _: &[String],
        _: crate::ListPage,
        _: &SearchLimits,
    ) -> Result<crate::Steps, Error> {
        unreachable!()
    }
    fn canonical(&self, _: &str) -> Result<String, Error> {
        unreachable!()
    }
    fn probe_begun(
        &self,
        _: &str,
        _: Seat,
        _: &[String],
        _: crate::ListPage,
        _: &SearchLimits,
    ) -> Result<Probe, Error> {
        unreachable!()
    }
    fn value(&self, _: &str, _: &SearchLimits) -> Result<(Verdict, Source), Error> {
        unreachable!()
    }
    fn play(&self, _: &str, _: &str) -> Result<(String, bool), Error> {
        unreachable!()
    }
    fn turns(&self, _: &str) -> Result<Vec<(String, String)>, Error> {
        unreachable!()
    }
    fn over(&self, _: &str) -> Result<Option<Outcome>, Error> {
        unreachable!()
    }
    fn line(&self, _: &str, _: Seat, _: usize, _: &SearchLimits) -> Result<Line, Error> {
        unreachable!()
    }
    fn statistics(&self) -> Result<Statistics, Error> {
        unreachable!()
    }
    fn numbering_statistics(&self, _: &str) -> Result<Vec<(String, String)>, Error> {
        unreachable!()
    }
    fn numbering_counts(&self, _: &str) -> Result<Vec<(String, String)>, Error> {
        unreachable!()
    }
    fn find(&self, _: &FindQuery, _: &mut Visit<'_, Found>) -> Result<(), Error> {
        unreachable!()
    }
    fn puzzles(
        &self,
        _: PuzzleKind,
        _: Option<u16>,
        _: Option<u64>,
        _: &mut Visit<'_, Puzzle>,
    ) -> Result<(), Error> {
        unreachable!()
    }
    fn puzzle_at(&self, _: &str, _: PuzzleKind) -> Result<Option<Puzzle>, Error> {
        unreachable!()
    }
    fn puzzle_depths(&self, _: PuzzleKind) -> Result<Vec<u16>, Error> {
        unreachable!()
    }
    fn verify(&self, _: Option<u64>, _: &crate::Resources<'_>) -> Result<Verification, Error> {
        unreachable!()
    }
    fn index(&self, _: &str, _: Option<&str>) -> Result<NumberedPosition, Error> {
        unreachable!()
    }
    fn position(&self, _: &str, _: Option<&str>) -> Result<NumberedPosition, Error> {
        unreachable!()
    }
    fn perft(&self, _: &str, _: u32, _: &dyn Progress) -> Result<u128, Error> {
        unreachable!()
    }
    fn scenes(&self, _: &str, _: Seat, _: &[String]) -> Result<Vec<Scene>, Error> {
        unreachable!()
    }
    fn publish(&self, _: &PublishJob<'_>, _: &crate::Resources<'_>) -> Result<PublishedFile, Error> {
        unreachable!()
    }
    fn position_from_board(&self, _: &str, _: Seat) -> Result<String, Error> {
        unreachable!()
    }
    fn palette(&self) -> Vec<retrograde_game::Piece> {
        unreachable!()
    }
    fn piece_name(&self, _: retrograde_game::Piece) -> &'static str {
        unreachable!()
    }
    fn pieces_to_place(&self, _: &str, _: Seat) -> Result<Vec<(retrograde_game::Piece, usize)>, Error> {
        unreachable!()
    }
    fn certificate(&self, _: Seat, _: u64, _: &Path, _: &Resources<'_>) -> Result<Certificate, Error> {
        unreachable!()
    }
    fn annotate(&self, _: &str, _: Seat, _: &[String], _: &SearchLimits) -> Result<Vec<Annotation>, Error> {
        unreachable!()
    }
}

fn all(path: &Path, rows: u64) -> Result<Written, Error> {
    write(&Rows(rows), path, None, Selection::default(), &mut |_| true)
}

#[test]
fn csv_has_a_line_a_position() {
    let folder = tempdir().unwrap();
    let path = folder.path().join("set.csv");
    assert_eq!(all(&path, 5).unwrap(), Written { rows: 5, files: vec![path.clone()] });
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
    // Arrow's readers make a list of six of the planes because of this; read by pyarrow 26 as
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
        write(&Rows(100), &path, None, selection, &mut |_| true).unwrap();
        let text = fs::read_to_string(&path).unwrap();
        text.lines().skip(1).map(|line| line.split(',').next().unwrap().parse().unwrap()).collect()
    };
    assert_eq!(read(Selection { limit: Some(3), sample: None }), [0, 10, 20]);
    assert!(read(Selection { limit: Some(0), sample: None }).is_empty());
    let sample = read(Selection { limit: None, sample: Some((20, 7)) });
    assert_eq!(sample.len(), 20);
    assert!(sample.is_sorted_by(|a, b| a < b), "{sample:?}");
    assert_eq!(sample, read(Selection { limit: None, sample: Some((20, 7)) }), "a seed gives one sample");
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
    let stopped = write(&Rows(1 << 15), &path, None, Selection::default(), &mut |_| false);
    assert!(matches!(stopped, Err(Error::Stopped)));
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0, "something was left behind");
}
