`timescale 1ns / 1ps
`define WIDTH 8
// A counter and its test bench.
package types;
  typedef enum logic [1:0] {IDLE, RUN = 2'b10} state_t;
  typedef struct packed { logic valid; logic [7:0] data; } word_t;
endpackage

module counter #(parameter int WIDTH = 8) (
  input  logic clk, rst_n,
  input  logic [WIDTH-1:0] step,
  output reg   [WIDTH-1:0] count
);
  import types::*;
  state_t state;
  wire [3:0] low = count[3:0] & ~4'hF;
  logic [7:0] memory [0:15];
  genvar g;
  assign #1 full = (count == {WIDTH{1'b1}}) ? 1'b1 : 1'b0;

  always_ff @(posedge clk or negedge rst_n) begin
    if (!rst_n) count <= '0;
    else if (state == RUN) count <= count + step;
    else begin
      case (state)
        IDLE: state <= RUN;
        default: ;
      endcase
    end
  end

  always @(*) for (int i = 0; i < 4; i = i + 1) memory[i] = 8'd1 << i;

  generate
    for (g = 0; g < 2; g = g + 1) begin : cells
      slice u (.clk(clk), .d(count[g]), .q());
    end
  endgenerate

  function automatic int twice(input int x);
    return x * 2;
  endfunction
endmodule

module bench;
  reg clk = 0;
  always #5 clk = ~clk;
  counter #(.WIDTH(4)) dut (.clk(clk), .rst_n(1'b1), .step(4'd1), .count());
  initial begin
    $display("count %d", dut.count);
    repeat (3) @(posedge clk);
    $finish;
  end
endmodule
