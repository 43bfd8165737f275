"use strict";
// Elements, as the scripts of several pages make them.
const parakh = {};
// A child or an attribute that is null is left out; one that begins with "on" is heard.
parakh.make = (name, attributes = {}, ...children) => {
  const node = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (key.startsWith("on")) node.addEventListener(key.slice(2), value);
    else if (value !== null && value !== undefined) node.setAttribute(key, value);
  }
  node.append(...children.filter(child => child !== null));
  return node;
};
