-- A counter.
library ieee;
use ieee.std_logic_1164.all;
use ieee.numeric_std.all;

entity counter is
  generic (WIDTH : natural := 8);
  port (
    clk, rst : in std_logic;
    count : out std_logic_vector(WIDTH - 1 downto 0)
  );
end entity counter;

architecture rtl of counter is
  type state_t is (idle, running);
  signal state : state_t := idle;
  signal value : unsigned(WIDTH - 1 downto 0) := (others => '0');
  constant LIMIT : integer := 16#1F#;

  function twice(x : integer) return integer is
  begin
    return x * 2;
  end function twice;
begin
  count <= std_logic_vector(value);

  step : process (clk, rst)
    variable n : integer range 0 to 10 := 0;
  begin
    if rst = '1' then
      value <= (others => '0');
    elsif rising_edge(clk) then
      case state is
        when idle => state <= running;
        when others =>
          for i in 0 to 3 loop
            n := n + i;
          end loop;
          value <= value + 1;
      end case;
    end if;
  end process step;
end architecture rtl;
