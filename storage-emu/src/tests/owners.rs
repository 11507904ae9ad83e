//! Files of a folder that gets another owner.

use std::future::{Future, ready};
use std::pin::Pin;
use std::sync::Arc;

use docstore::{Code, Result};
use parking_lot::Mutex;

use super::administration::put;
use super::support::Bench;
use crate::catalog::Usage;
use crate::names::ObjectName;
use crate::options::{Quota, Quotas};

/// Every file is of one owner; each may have so many bytes.
#[derive(Debug)]
struct Owned(Mutex<(String, u64)>);

impl Quotas for Owned {
    fn of<'a>(&'a self, _owner: &'a str) -> Pin<Box<dyn Future<Output = Result<Quota>> + Send + 'a>> {
        Box::pin(ready(Ok(Quota { bytes: self.0.lock().1, files: 100 })))
    }

    fn owner_of<'a>(
        &'a self,
        _name: &'a ObjectName,
    ) -> Pin<Box<dyn Future<Output = Result<Option<String>>> + Send + 'a>> {
        Box::pin(ready(Ok(Some(self.0.lock().0.clone()))))
    }
}

#[tokio::test]
async fn files_of_a_folder_count_for_its_new_owner_and_no_others() {
    let owned = Arc::new(Owned(Mutex::new(("bob".to_owned(), 1_000))));
    let bench = Bench::counting(owned.clone());
    put(&bench, "elsewhere/same", "fox").await;
    owned.0.lock().0 = "ann".to_owned();
    // One content twice, which Bob has too, and one of its own.
    for (name, data) in [("p/a", "fox"), ("p/b", "fox"), ("p/c", "vixen"), ("pp/d", "other")] {
        put(&bench, name, data).await;
    }
    let usage = async |uid: &str| {
        let Usage { bytes, files, .. } = bench.state.usage(uid).await.unwrap();
        (bytes, files)
    };
    assert_eq!((usage("ann").await, usage("bob").await), ((13, 4), (3, 1)));
    // Bob has the content of two of them already.
    owned.0.lock().1 = 7;
    let refused = bench.state.would_fit("p/", "bob").await.unwrap_err();
    assert_eq!((refused.code(), refused.tag()), (Code::ResourceExhausted, "QuotaBytes"));
    owned.0.lock().1 = 8;
    bench.state.would_fit("p/", "bob").await.unwrap();
    assert_eq!((usage("ann").await, usage("bob").await), ((13, 4), (3, 1)));
    owned.0.lock().0 = "bob".to_owned();
    assert_eq!(bench.state.recount_folder("p/").await.unwrap(), 3);
    assert_eq!((usage("ann").await, usage("bob").await), ((5, 1), (8, 4)));
    assert_eq!(bench.state.recount_folder("p/").await.unwrap(), 0);
    assert_eq!(bench.state.delete_folder("p/").await.unwrap(), 3);
    assert_eq!((usage("ann").await, usage("bob").await), ((5, 1), (3, 1)));
}
