use crate::engine::Value;
use postgres::types::private::BytesMut;
use postgres::types::{to_sql_checked, FromSql, IsNull, ToSql, Type};
use std::error::Error;

type Failed = Box<dyn Error + Sync + Send>;

impl ToSql for Value {
    fn to_sql(&self, of: &Type, out: &mut BytesMut) -> Result<IsNull, Failed> {
        match self {
            Value::Null => Ok(IsNull::Yes),
            Value::Flag(flag) => flag.to_sql(of, out),
            Value::Int(number) => number.to_sql(of, out),
            Value::Real(number) => number.to_sql(of, out),
            // PostgreSQL texts cannot contain NUL.
            Value::Text(text) => text.replace('\0', "\u{fffd}").to_sql(of, out),
        }
    }

    fn accepts(of: &Type) -> bool {
        matches!(*of, Type::BOOL | Type::INT8 | Type::FLOAT8 | Type::TEXT)
    }

    to_sql_checked!();
}

impl<'a> FromSql<'a> for Value {
    fn from_sql(of: &Type, raw: &'a [u8]) -> Result<Value, Failed> {
        Ok(match *of {
            Type::BOOL => Value::Flag(bool::from_sql(of, raw)?),
            Type::INT4 => Value::Int(i64::from(i32::from_sql(of, raw)?)),
            Type::INT8 => Value::Int(i64::from_sql(of, raw)?),
            Type::FLOAT8 => Value::Real(f64::from_sql(of, raw)?),
            _ => Value::Text(String::from_sql(of, raw)?),
        })
    }

    fn from_sql_null(_: &Type) -> Result<Value, Failed> {
        Ok(Value::Null)
    }

    fn accepts(of: &Type) -> bool {
        matches!(*of, Type::BOOL | Type::INT4 | Type::INT8 | Type::FLOAT8 | Type::TEXT | Type::VARCHAR | Type::NAME)
    }
}
