need verilator verilator
cp "$(package wheel pythondata-cpu-picorv32 1.0.post160)/pythondata_cpu_picorv32/verilog/picorv32.v" core.v
cat >>core.v <<'END'

module all_zero(input [7:0] level [0:3], output reg quiet);
	always @* begin
		quiet = 0;
		if (level == '{8'd0, 8'd0, 8'd0, 8'd0})
			quiet = 1;
	end
endmodule
END
