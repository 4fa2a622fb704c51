package org.example
package tree

import scala.collection.mutable.{Map => MutableMap, *}

/** A tree. */
sealed trait Tree[+A] { def size: Int }
case object Leaf extends Tree[Nothing] { val size = 0 }
final case class Node[A](value: A, left: Tree[A] = Leaf, right: Tree[A] = Leaf) extends Tree[A] with Serializable {
  override lazy val size: Int = 1 + left.size + right.size
}

object Tree {
  type Pair[T] = (T, T)
  implicit class Ops[A](private val tree: Tree[A]) extends AnyVal {
    def +:(value: A)(implicit order: Ordering[A]): Tree[A] = tree match {
      case Leaf => Node(value)
      case node @ Node(v, l, _) if order.lt(value, v) => node.copy(left = l)
      case Node(_: Int, _, _) | _ => tree
    }
  }

  def apply[A](values: A*): Tree[A] = {
    var tree: Tree[A] = Leaf
    for (value <- values; if value != null) tree = Node(value, tree)
    val squares = for { x <- 1 to 10; y = x * x if y % 2 == 0 } yield y -> 'c'
    try squares.map(_._1).foldLeft(0)(_ + _)
    catch { case e: RuntimeException => throw new Error(s"bad ${e.getMessage} $tree", e) }
    finally println("""raw "text"""")
    while (tree.size > 1000L) tree = Leaf
    val f: Int => Int = (x: Int) => if (x > 0) x else -x
    tree
  }
}

enum Colour(val rgb: Int):
  case Red extends Colour(0xFF0000)
  case Green extends Colour(0x00FF00)

given Ordering[Colour] with
  def compare(a: Colour, b: Colour): Int = a.rgb - b.rgb

@main def run(args: String*)(using order: Ordering[Colour]): Unit =
  if args.isEmpty then println(1.5e3f) else args.foreach(println)
