defmodule Shapes.Circle do
  @moduledoc """
  A circle.
  """
  @behaviour Shapes
  alias Shapes.{Square, Point}
  import Enum, only: [map: 2]

  defstruct radius: 1.0, name: nil

  @type t :: %__MODULE__{radius: float, name: String.t() | nil}

  @spec area(t) :: float
  def area(%__MODULE__{radius: r} = circle) when r >= 0 and not is_nil(circle) do
    3.14 * r * r
  end

  def area(_), do: {:error, "bad #{1 + 2}"}

  defp kinds(list, opts \\ []) do
    list
    |> map(fn x -> x * 2 end)
    |> Enum.filter(&(&1 > 0x1F))
    |> case do
      [] -> :none
      [head | _tail] when head > 3 -> ~w(a b)a
      %{"key" => value} -> value
    end
  end

  def run(list) do
    with {:ok, x} <- fetch(list), true <- x > 1_000 do
      if x == 3, do: ?a, else: 'chars'
    else
      _ -> raise ArgumentError, message: "none"
    end

    for x <- 1..10, rem(x, 2) == 0, into: %{}, do: {x, x <> "s"}

    try do
      send(self(), {:done, <<1, 2::size(4)>>})
    rescue
      e in RuntimeError -> e
    after
      receive do
        {:done, _} -> :ok
      after
        1000 -> :timeout
      end
    end
  end
end
