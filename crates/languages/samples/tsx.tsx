import React, { useState } from "react";

interface Props<T> {
  items: T[];
  label?: string;
  render: (item: T, index: number) => React.ReactNode;
}

export function List<T,>({ items, label = "none", render }: Props<T>): JSX.Element {
  const [open, setOpen] = useState<boolean>(false);
  const toggle = () => setOpen((was) => !was);
  if (items.length === 0) {
    return <p>{label}</p>;
  }
  return (
    <>
      {/* the list itself */}
      <button type="button" disabled={!open} onClick={toggle}>Show &amp; hide</button>
      <ul className={`list ${open ? "open" : ""}`}>
        {items.map((item, index) => (
          <li key={index} {...{ title: "x" }}>{render(item, index)}</li>
        ))}
      </ul>
      <Menu.Item<string> value="a" />
    </>
  );
}
const value = 3 as const;
