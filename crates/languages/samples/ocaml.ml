(* A small map. *)
open Printf
module StringMap = Map.Make (String)

type 'a tree =
  | Leaf
  | Node of { left : 'a tree; value : 'a; right : 'a tree }
and pair = int * string

type point = { mutable x : int; y : float }
exception Empty of string

module type ORDERED = sig
  type t
  val compare : t -> t -> int
end

module Make (O : ORDERED) : sig val insert : O.t -> O.t tree -> O.t tree end = struct
  let rec insert v = function
    | Leaf -> Node { left = Leaf; value = v; right = Leaf }
    | Node ({ value; left; _ } as n) when O.compare v value < 0 ->
      Node { n with left = insert v left }
    | tree -> tree
end

let ( >>= ) option f = match option with Some x -> f x | None -> None

let rec length ?(acc = 0) ~step list =
  match list with
  | [] -> acc
  | _ :: (_ :: _ as rest) | ([ _ ] as rest) -> length ~acc:(acc + step) ~step rest

class counter init = object (self)
  val mutable n = init
  method next = n <- n + 1; self#get
  method get = n
end

let () =
  let p = { x = 0x1F; y = 1.5e3 } in
  p.x <- p.x lsl 2;
  let cell = ref [| 1; 2 |] in
  for i = 0 to Array.length !cell - 1 do printf "%d\n" !cell.(i) done;
  while p.x > 10 do p.x <- p.x - 1 done;
  try if p.x = 3 then raise (Empty "x") else ignore 'c' with
  | Empty s -> print_endline s
  | Not_found | Failure _ -> ()

let f : int -> [> `A | `B of int ] = fun x -> if x > 0 then `A else `B x
