#![feature(anonymous_lifetime_in_impl_trait)]
trait P { type O; fn p(self) -> Self::O; }
trait B<'a> {}
fn s<'a>(_: &'a (), _: impl B<'a>) {}
fn c(x: &(), p: impl P<O: B<'_>>) { s(x, p.p()) }
