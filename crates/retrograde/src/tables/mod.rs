//! The location of tables that `--tables` names: a folder, or the address of a published site.

#[cfg(feature = "remote")]
mod remote;

use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use retrograde_explore::TableFolders;
use retrograde_table::site::SiteStorage;

use crate::program::exit::BoxError;
#[cfg(feature = "remote")]
use remote::open;

/// A site, opened when the first table is needed.
#[derive(Debug)]
pub(crate) struct Site {
    address: String,
    opened: OnceLock<SiteStorage>,
}

/// Removes user names and passwords from the addresses in a text.
pub(crate) fn without_credentials(text: &str) -> String {
    let mut parts = text.split("://");
    let mut shown = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let host = part.find(|c: char| "/?#\"'”".contains(c) || c.is_whitespace()).unwrap_or(part.len());
        let from = part[..host].rfind('@').map_or(0, |at| at + 1);
        shown.push_str("://");
        shown.push_str(&part[from..]);
    }
    shown
}

impl Site {
    /// The site that `--tables` names, if it names one.
    ///
    /// # Errors
    /// If there are other folders or sites.
    pub(crate) fn named(tables: &TableFolders) -> Result<Option<Site>, String> {
        let Some(address) = tables.all().iter().find_map(|folder| address(folder)) else { return Ok(None) };
        if tables.all().len() > 1 {
            return Err("the address of a site cannot be combined with other folders".to_owned());
        }
        Ok(Some(Site { address: address.to_owned(), opened: OnceLock::new() }))
    }

    /// The path to show in messages: an address is shown without its password.
    pub(crate) fn shown(tables: &Path) -> PathBuf {
        tables.to_str().map_or_else(|| tables.to_owned(), |address| without_credentials(address).into())
    }

    /// The tables of the site.
    pub(crate) fn storage(&self) -> Result<&SiteStorage, BoxError> {
        if let Some(opened) = self.opened.get() {
            return Ok(opened);
        }
        let opened = open(&self.address)?;
        Ok(self.opened.get_or_init(|| opened))
    }
}

/// The folder as an address, if it is one.
fn address(folder: &Path) -> Option<&str> {
    let address = folder.to_str()?;
    let (scheme, _) = address.split_once("://")?;
    ["http", "https"].iter().any(|known| scheme.eq_ignore_ascii_case(known)).then_some(address)
}

/// Fails: this program was built without the client.
#[cfg(not(feature = "remote"))]
fn open(_address: &str) -> Result<SiteStorage, BoxError> {
    Err(NO_HTTP_CLIENT.into())
}

/// The error of a program built without the client.
#[cfg(any(test, not(feature = "remote")))]
const NO_HTTP_CLIENT: &str = "this program was built without an HTTP client: `--tables https://…` needs the feature `remote` of \
     the crate retrograde, as in `cargo run --release --features retrograde/remote -- probe`";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_addresses_of_hosts_are_sites() {
        for site in ["https://example.org/x", "http://127.0.0.1:80", "HTTPS://EXAMPLE.ORG"] {
            assert!(Site::named(&TableFolders::one(site)).unwrap().is_some(), "{site}");
        }
        for folder in ["tables", "/x/https:/a", "file:///tables", "https", "ftp://a/b", ""] {
            assert!(Site::named(&TableFolders::one(folder)).unwrap().is_none(), "{folder}");
        }
    }

    #[test]
    fn passwords_in_addresses_are_not_shown() {
        for (address, shown) in [
            ("https://me:secret@a.org/b@c", "https://a.org/b@c"),
            ("cannot read http://x@h/y “https://a:b@c” now", "cannot read http://h/y “https://c” now"),
            ("https://a:b@c@d.org", "https://d.org"),
            ("tables/a@b", "tables/a@b"),
        ] {
            assert_eq!(without_credentials(address), shown);
        }
    }

    /// Test programs have all features, so they never print this error.
    #[test]
    fn a_program_without_the_client_says_which_feature_it_needs() {
        let manifest = include_str!("../../Cargo.toml");
        let feature = NO_HTTP_CLIENT.split('`').nth(3).unwrap();
        assert!(manifest.contains(&format!("\n{feature} = [\"dep:ureq\"")), "{feature}");
        assert!(NO_HTTP_CLIENT.contains(&format!("--features retrograde/{feature} ")));
    }
}
