(** A small map. *)
open Printf

type 'a tree
type +'k key = private Key of 'k | None
type point = { mutable x : int; y : float }
exception Empty of string

module type ORDERED = sig
  type t
  val compare : t -> t -> int
end

module Make (O : ORDERED) : sig
  type nonrec t = O.t list
  val insert : ?weak:bool -> key:O.t -> t -> t
  include ORDERED with type t := t
end

class counter : int -> object
  method next : int
  method private reset : unit
end

val ( >>= ) : 'a option -> ('a -> 'b option) -> 'b option
val f : int -> [> `A | `B of int * string ] [@@deprecated "old"]
external hash : string -> int = "hash_stub"
