need iverilog iverilog
cp "$(package wheel pythondata-cpu-picorv32 1.0.post160)/pythondata_cpu_picorv32/verilog/picorv32.v" core.v
cat >>core.v <<'END'

module held_bits(input enable, input [1:0] level, output reg first, output reg second);
	always_latch begin
		if (level[1])
			first = 1;
		else if (level[0])
			first = 0;
	end
	always_latch begin
		if (enable)
			second = 1;
		else if (level[0])
			second = 0;
	end
endmodule
END
