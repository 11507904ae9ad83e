//! Structured queries, as the Firestore protocol has them.

use super::{DatabaseId, DocPath, FieldPath, Reference, Value};

/// A structured query over one collection, or over all collections of one id below a parent.
#[derive(Debug, Clone)]
pub struct Query {
    /// The parent document; `None` is the database's root.
    pub parent: Option<DocPath>,
    /// Collection to read.
    pub from: Source,
    /// The fields to return; `None` is all, an empty list only the name.
    pub select: Option<Vec<FieldPath>>,
    /// Condition on documents.
    pub filter: Option<Filter>,
    /// Explicit orders; the implicit ones are added by [`Query`]'s normalisation.
    pub order_by: Vec<Order>,
    /// Start of the results.
    pub start: Option<Cursor>,
    /// End of the results.
    pub end: Option<Cursor>,
    /// Results to skip.
    pub offset: u32,
    /// Most results.
    pub limit: Option<u32>,
    /// Most bytes of documents, as [`Document::size`] counts them: the result that exceeds it is the last one, where
    /// results come in the order of an index. For pages; the protocol has no such limit.
    ///
    /// [`Document::size`]: super::Document::size
    pub limit_bytes: Option<usize>,
    /// Nearest-vector search over the filtered documents.
    pub find_nearest: Option<FindNearest>,
}

impl Query {
    /// All documents of a source below a parent (`None` is the root), by name.
    pub fn all(parent: Option<DocPath>, from: Source) -> Self {
        Self {
            parent,
            from,
            select: None,
            filter: None,
            order_by: Vec::new(),
            start: None,
            end: None,
            offset: 0,
            limit: None,
            limit_bytes: None,
            find_nearest: None,
        }
    }
}

/// The collections a query reads.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Source {
    /// The collection id; `None` is every collection (only with `all_descendants`).
    pub collection: Option<String>,
    /// Also collections of this id at any depth below the parent.
    pub all_descendants: bool,
}

/// A condition on documents.
#[derive(Debug, Clone)]
pub enum Filter {
    /// All hold.
    And(Vec<Self>),
    /// One holds.
    Or(Vec<Self>),
    /// A comparison of a field with a value.
    Field(FieldFilter),
    /// A test of a field alone.
    Unary(FieldPath, UnaryOp),
}

/// `field op value`. The field path `__name__` stands for the document's name.
#[derive(Debug, Clone)]
pub struct FieldFilter {
    /// The field.
    pub field: FieldPath,
    /// The comparison.
    pub op: FieldOp,
    /// The value; an array for the list operators.
    pub value: Value,
}

/// A comparison.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum FieldOp {
    /// `==`
    Equal,
    /// `!=`
    NotEqual,
    /// `<`
    Less,
    /// `<=`
    LessOrEqual,
    /// `>`
    Greater,
    /// `>=`
    GreaterOrEqual,
    /// The field is a list that has the value.
    ArrayContains,
    /// The field equals one of the values.
    In,
    /// The field is a list that has one of the values.
    ArrayContainsAny,
    /// The field exists, is not null and equals none of the values.
    NotIn,
}

/// A test of a field alone.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum UnaryOp {
    /// Is NaN.
    IsNan,
    /// Is null.
    IsNull,
    /// Exists and is neither NaN nor null.
    IsNotNan,
    /// Exists and is not null.
    IsNotNull,
}

/// One order of a query.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Order {
    /// The field, or `__name__`.
    pub field: FieldPath,
    /// Direction of the order.
    pub direction: Direction,
}

/// Direction of an order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Direction {
    /// Smallest first.
    Ascending,
    /// Largest first.
    Descending,
}

/// A position in a query's order.
#[derive(Debug, Clone)]
pub struct Cursor {
    /// Values for a prefix of the orders.
    pub values: Vec<Value>,
    /// Just before the given values, rather than just after.
    pub before: bool,
}

impl Cursor {
    /// Just before a document, in the order of names.
    pub fn before_name(database: &DatabaseId, path: DocPath) -> Self {
        Self { values: vec![Value::Reference(Reference { database: database.clone(), path })], before: true }
    }

    /// Just after a document, in the order of names.
    pub fn after_name(database: &DatabaseId, path: DocPath) -> Self {
        Self { before: false, ..Self::before_name(database, path) }
    }
}

/// Nearest-vector search.
#[derive(Debug, Clone)]
pub struct FindNearest {
    /// The field that holds vectors.
    pub field: FieldPath,
    /// Vector to be near to.
    pub query: Vec<f64>,
    /// Measure of distance.
    pub measure: DistanceMeasure,
    /// Most results, 1 to 1,000.
    pub limit: u32,
    /// The field in which results carry their distance.
    pub distance_field: Option<FieldPath>,
    /// Results must be at least this near (for dot product: at least this large).
    pub threshold: Option<f64>,
}

/// Measure of the distance between two vectors.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DistanceMeasure {
    /// Straight-line distance.
    Euclidean,
    /// One minus the cosine of the angle.
    Cosine,
    /// The dot product, largest first.
    DotProduct,
}

/// An aggregate over a query's results.
#[derive(Debug, Clone)]
pub enum Aggregation {
    /// Number of results, counted up to `up_to`.
    Count {
        /// The upper bound.
        up_to: Option<u64>,
    },
    /// The sum of the numbers in a field.
    Sum(FieldPath),
    /// The mean of the numbers in a field; null when there are none.
    Avg(FieldPath),
}
