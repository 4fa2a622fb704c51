// A sum, a loop and a branch.
#map = affine_map<(d0, d1) -> (d0 + d1)>
module {
  func.func private @print(i32)
  func.func @sum(%values: memref<?xf32>, %n: index) -> f32 {
    %zero = arith.constant 0.0 : f32
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %total = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> (f32) {
      %value = memref.load %values[%i] : memref<?xf32>
      %next = arith.addf %acc, %value : f32
      scf.yield %next : f32
    }
    return %total : f32
  }
  func.func @choose(%flag: i1, %a: i32, %b: i32) -> i32 {
    cf.cond_br %flag, ^left(%a : i32), ^right
  ^left(%x: i32):
    %two = arith.constant 2 : i32
    %y = arith.muli %x, %two : i32
    cf.br ^end(%y : i32)
  ^right:
    cf.br ^end(%b : i32)
  ^end(%r: i32):
    func.call @print(%r) : (i32) -> ()
    return %r : i32
  }
  func.func @generic(%t: tensor<4x8xf32>) {
    %0 = "test.op"(%t) {name = "x", count = 3 : i64, flag} : (tensor<4x8xf32>) -> vector<4xi8>
    return
  }
}
