--  A stack.
with Ada.Text_IO; use Ada.Text_IO;

procedure Main is
   Limit : constant Integer := 16#1F#;
   type Colour is (Red, Green);
   type Vector is array (1 .. Limit) of Integer;
   type Stack is record
      Items : Vector := (others => 0);
      Top   : Natural := 0;
   end record;
   Full : exception;

   procedure Push (S : in out Stack; Item : in Integer) is
   begin
      if S.Top >= Limit then
         raise Full;
      elsif Item /= 0 and then S.Top > 0 then
         S.Top := S.Top + 1;
      else
         null;
      end if;
      S.Items (S.Top) := Item ** 2;
   end Push;

   function Twice (X : Integer) return Integer is (X * 2);
   S : Stack;
begin
   for I in 1 .. 10 loop
      Push (S, Twice (I));
      exit when S.Top = 5;
   end loop;
   while S.Top > 0 loop
      S.Top := S.Top - 1;
   end loop;
   case S.Top is
      when 0 | 1 => Put_Line ("few" & Integer'Image (S.Top));
      when others => null;
   end case;
exception
   when Full => Put_Line ("full ""x""");
end Main;
