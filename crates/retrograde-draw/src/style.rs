//! All colours. The two players differ in lightness (dark against light), in hue (orange against
//! blue, which are distinguishable with every common kind of colour blindness) and in outline (bold
//! against double), so nothing depends on hue alone.

/// A light or a dark theme.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Theme {
    /// Dark on light.
    #[default]
    Light,
    /// Light on dark.
    Dark,
}

impl Theme {
    /// The theme with a name: `light` or `dark`.
    pub fn from_word(word: &str) -> Option<Theme> {
        match word {
            "light" => Some(Theme::Light),
            "dark" => Some(Theme::Dark),
            _ => None,
        }
    }

    pub(crate) fn colors(self) -> &'static Colors {
        match self {
            Theme::Light => &LIGHT,
            Theme::Dark => &DARK,
        }
    }
}

/// The colours of one player's pieces.
pub(crate) struct Ink {
    pub body: &'static str,
    pub outline: &'static str,
    /// The inner line and the anchor.
    pub detail: &'static str,
}

pub(crate) struct Colors {
    pub page: &'static str,
    pub text: &'static str,
    pub faint_text: &'static str,
    pub frame: &'static str,
    pub tiles: [&'static str; 2],
    pub rail: &'static str,
    pub rail_shine: &'static str,
    pub first: Ink,
    pub second: Ink,
    pub nobody: Ink,
    pub shadow: &'static str,
    pub shadow_opacity: &'static str,
    /// The squares of the last turn.
    pub last: &'static str,
    pub highlight: &'static str,
    pub highlight_edge: &'static str,
    pub arrow: &'static str,
    pub push: &'static str,
    pub push_edge: &'static str,
    pub casing: &'static str,
    pub grid: &'static str,
    pub win: &'static str,
    pub loss: &'static str,
    pub draw: &'static str,
}

static LIGHT: Colors = Colors {
    page: "#fbfaf8",
    text: "#2b2f38",
    faint_text: "#6d717b",
    frame: "#cdc6b9",
    tiles: ["#f4f0e8", "#e8e1d4"],
    rail: "#4a4e59",
    rail_shine: "#7d828f",
    first: Ink { body: "#b43e1a", outline: "#5f1b08", detail: "#ffd9c7" },
    second: Ink { body: "#a9d6f5", outline: "#1c4f7c", detail: "#1c4f7c" },
    nobody: Ink { body: "#b9b6b2", outline: "#4a4b52", detail: "#45464d" },
    shadow: "#3a2f1c",
    shadow_opacity: ".2",
    last: "#f3dc9a",
    highlight: "#ffd35c",
    highlight_edge: "#d99a00",
    arrow: "#2b2f38",
    push: "#ffc22e",
    push_edge: "#3b2b00",
    casing: "#ffffff",
    grid: "#e2ded6",
    win: "#1b7837",
    loss: "#762a83",
    draw: "#6b6e76",
};

static DARK: Colors = Colors {
    page: "#15171c",
    text: "#e8e9ed",
    faint_text: "#9a9fab",
    frame: "#454b57",
    tiles: ["#31363f", "#292d35"],
    rail: "#a9afbc",
    rail_shine: "#e3e6ec",
    first: Ink { body: "#d2531f", outline: "#ffb694", detail: "#fff0e8" },
    second: Ink { body: "#b5ddf8", outline: "#eef8ff", detail: "#17507f" },
    nobody: Ink { body: "#5d636f", outline: "#c9ccd4", detail: "#d5d8df" },
    shadow: "#000000",
    shadow_opacity: ".4",
    last: "#57491f",
    highlight: "#8a6a14",
    highlight_edge: "#ffcb45",
    arrow: "#f4f5f8",
    push: "#ffc22e",
    push_edge: "#241a00",
    casing: "#15171c",
    grid: "#2c3038",
    win: "#6fc487",
    loss: "#c99ad6",
    draw: "#a2a7b2",
};

/// The side of a square in drawing units.
pub(crate) const UNIT: f64 = 60.0;

/// The style of a drawn board.
#[derive(Clone, PartialEq, Debug)]
pub struct BoardStyle {
    /// The light or the dark theme.
    pub theme: Theme,
    /// The side of a square in pixels. Sizes below 1 and values that are not numbers count as 1.
    pub square: f64,
    /// Whether there are letters and numbers along the board.
    pub coordinates: bool,
    /// Whether a line below the board names the side to move. Turn it off if the game is over.
    pub turn_marker: bool,
    /// Whether the background is painted; otherwise it is transparent.
    pub background: bool,
}

impl Default for BoardStyle {
    fn default() -> BoardStyle {
        BoardStyle {
            theme: Theme::Light,
            square: 60.0,
            coordinates: true,
            turn_marker: true,
            background: true,
        }
    }
}

impl BoardStyle {
    /// The number of pixels per unit.
    pub(crate) fn scale(&self) -> f64 {
        // The comparison is false for NaN.
        if self.square >= 1.0 { self.square.min(1000.0) / UNIT } else { 1.0 / UNIT }
    }
}

/// The words of a drawn board: below it, and for screen readers.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Words {
    /// The document's title; by default "A board".
    pub title: Option<String>,
    /// The document's description; by default the pieces and their squares.
    pub description: Option<String>,
    /// The words below the board, wrapped as necessary.
    pub caption: Option<String>,
}

impl Words {
    /// Creates words with a title and a caption.
    pub fn new(title: impl Into<String>, caption: impl Into<String>) -> Words {
        Words { title: Some(title.into()), description: None, caption: Some(caption.into()) }
    }
}
