%% A counter.
-module(counter).
-export([start/1, loop/2]).
-include_lib("kernel/include/file.hrl").
-define(LIMIT, 16#1F).
-record(state, {count = 0 :: integer(), name}).
-type name() :: atom() | string().

-spec start(name()) -> pid().
start(Name) when is_atom(Name); is_list(Name) ->
    spawn(fun() -> loop(Name, #state{name = Name}) end).

loop(Name, #state{count = N} = State) ->
    receive
        {From, get} ->
            From ! {self(), N},
            loop(Name, State);
        add when N < ?LIMIT ->
            loop(Name, State#state{count = N + 1});
        stop -> ok
    after 1000 ->
        io:format("~p idle~n", [Name])
    end.

kinds(List) ->
    Squares = [X * X || X <- List, X rem 2 =:= 0],
    Map = #{a => 1, "b" => $c},
    #{a := A} = Map,
    case Squares of
        [] -> none;
        [Head | _] when Head > 3, A /= 2 -> <<Head:8, "text">>;
        _ -> if A > 1 -> 1.5e3; true -> -1 end
    end,
    try lists:map(fun counter:twice/1, Squares)
    catch
        error:Reason -> {error, Reason}
    after
        ok
    end.
