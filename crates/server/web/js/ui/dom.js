/**
 * Descriptions of elements, and the one place that turns them into elements.
 *
 * A renderer is a pure function that returns what `h` returns; `patch` makes the document look like
 * it, touching only what differs, so that focus, selection and running animations survive.
 */

/**
 * @typedef {string | number | boolean | null | undefined} Value
 * @typedef {{[name: string]: any}} Props attributes; besides them `key`, `on` (listeners by event),
 *   `style` (properties; never an attribute, which the policy forbids), `prop` (set as properties)
 *   and `ref` (called with the element when it is made)
 * @typedef {{tag: string, key: string | null, props: Props, children: Node[]}} VElement
 * @typedef {VElement | string} Node
 * @typedef {Node | Value | readonly any[]} Child an element, a text, nothing, or a list of such
 */

const SVG = 'http://www.w3.org/2000/svg';
const SPECIAL = new Set(['key', 'on', 'style', 'prop', 'ref']);

/**
 * Describes an element. A tag may carry classes: `h('button.primary')`.
 * @param {string} tag
 * @param {Props | null} [props]
 * @param {...Child} children nothing is drawn for `null`, `undefined` and booleans
 * @returns {VElement}
 */
export function h(tag, props, ...children) {
  const [name = 'div', ...classes] = tag.split('.');
  const given = props ?? {};
  const all = [...classes, given.class].filter(Boolean).join(' ');
  return {
    tag: name,
    key: given.key == null ? null : String(given.key),
    props: all ? { ...given, class: all } : given,
    children: flatten(children),
  };
}

/**
 * @param {Child[]} children
 * @returns {Node[]}
 */
function flatten(children) {
  /** @type {Node[]} */
  const nodes = [];
  for (const child of children) {
    if (Array.isArray(child)) nodes.push(...flatten(child));
    else if (child == null || typeof child === 'boolean') continue;
    else if (typeof child === 'object') nodes.push(/** @type {VElement} */ (child));
    else nodes.push(String(child));
  }
  return nodes;
}

/**
 * The text that a description shows: for tests and for labels.
 * @param {Node} node
 * @returns {string}
 */
export function textOf(node) {
  return typeof node === 'string' ? node : node.children.map(textOf).join('');
}

/**
 * Every described element for which `wanted` holds, in document order.
 * @param {Node} node
 * @param {(element: VElement) => boolean} wanted
 * @returns {VElement[]}
 */
export function findAll(node, wanted) {
  if (typeof node === 'string') return [];
  const below = node.children.flatMap((child) => findAll(child, wanted));
  return wanted(node) ? [node, ...below] : below;
}

/** @type {WeakMap<globalThis.Node, Node>} */
const drawn = new WeakMap();

/**
 * Makes the children of `parent` look like `nodes`.
 * @param {Element} parent
 * @param {Node[]} nodes
 */
export function patch(parent, nodes) {
  /** @type {Map<string, ChildNode>} */
  const keyed = new Map();
  /** @type {ChildNode[]} */
  const plain = [];
  for (const child of [...parent.childNodes]) {
    const was = drawn.get(child);
    if (was && typeof was !== 'string' && was.key != null) keyed.set(was.key, child);
    else plain.push(child);
  }
  let at = parent.firstChild;
  for (const node of nodes) {
    const old = takeMatch(node, keyed, plain);
    const element = old ? update(old, node) : create(node, parent);
    if (element === at) at = at.nextSibling;
    else parent.insertBefore(element, at);
  }
  for (const left of [...keyed.values(), ...plain]) left.remove();
}

/**
 * @param {Node} node
 * @param {Map<string, ChildNode>} keyed
 * @param {ChildNode[]} plain
 * @returns {ChildNode | null}
 */
function takeMatch(node, keyed, plain) {
  if (typeof node !== 'string' && node.key != null) {
    const old = keyed.get(node.key);
    if (!old || !isLike(old, node)) return null;
    keyed.delete(node.key);
    return old;
  }
  const index = plain.findIndex((old) => isLike(old, node));
  return index < 0 ? null : (plain.splice(index, 1)[0] ?? null);
}

/** @param {ChildNode} old @param {Node} node */
function isLike(old, node) {
  const was = drawn.get(old);
  if (was == null) return false;
  if (typeof node === 'string' || typeof was === 'string') return typeof node === typeof was;
  return was.tag === node.tag;
}

/** @param {Node} node @param {Element} parent @returns {ChildNode} */
function create(node, parent) {
  if (typeof node === 'string') {
    const made = document.createTextNode(node);
    drawn.set(made, node);
    return made;
  }
  const inSvg = node.tag === 'svg' || (parent.namespaceURI === SVG && parent.tagName !== 'foreignObject');
  const element = inSvg ? document.createElementNS(SVG, node.tag) : document.createElement(node.tag);
  applyProps(element, {}, node.props);
  patch(element, node.children);
  applyLate(element, {}, node.props);
  drawn.set(element, node);
  node.props.ref?.(element);
  return element;
}

/** @param {ChildNode} old @param {Node} node @returns {ChildNode} */
function update(old, node) {
  const was = drawn.get(old);
  if (typeof node === 'string') {
    if (was !== node) old.textContent = node;
  } else if (was !== node && old instanceof Element && was && typeof was !== 'string') {
    applyProps(old, was.props, node.props);
    patch(old, node.children);
    applyLate(old, was.props, node.props);
  }
  drawn.set(old, node);
  return old;
}

/** @param {Element} element @param {Props} was @param {Props} now */
function applyProps(element, was, now) {
  for (const name of new Set([...Object.keys(was), ...Object.keys(now)])) {
    if (SPECIAL.has(name) || was[name] === now[name]) continue;
    setAttribute(element, name, now[name]);
  }
  applyStyle(/** @type {HTMLElement} */ (element), was.style ?? {}, now.style ?? {});
  listen(element, now.on ?? {});
}

/** @param {Element} element @param {string} name @param {Value} value */
function setAttribute(element, name, value) {
  if (value == null || value === false) element.removeAttribute(name);
  else element.setAttribute(name, value === true ? '' : String(value));
}

/** @param {HTMLElement} element @param {Props} was @param {Props} now */
function applyStyle(element, was, now) {
  for (const name of new Set([...Object.keys(was), ...Object.keys(now)])) {
    if (was[name] !== now[name]) element.style.setProperty(name, now[name] ?? '');
  }
}

/**
 * Properties come after the children: a `select` has a value only once it has options. They are
 * compared with what was drawn, not with what the user typed meanwhile.
 * @param {Element} element @param {Props} was @param {Props} now
 */
function applyLate(element, was, now) {
  for (const [name, value] of Object.entries(now.prop ?? {})) {
    if (was.prop?.[name] !== value) /** @type {any} */ (element)[name] = value;
  }
}

/** @type {WeakMap<Element, {[event: string]: (event: any) => void}>} */
const listeners = new WeakMap();

/** @param {Element} element @param {{[event: string]: (event: any) => void}} wanted */
function listen(element, wanted) {
  let current = listeners.get(element);
  if (!current) listeners.set(element, (current = {}));
  for (const event of Object.keys(wanted)) {
    if (!(event in current)) element.addEventListener(event, dispatch);
  }
  for (const event of Object.keys(current)) {
    if (!(event in wanted)) element.removeEventListener(event, dispatch);
  }
  listeners.set(element, wanted);
}

/** @param {Event} event */
function dispatch(event) {
  const element = /** @type {Element} */ (event.currentTarget);
  listeners.get(element)?.[event.type]?.(event);
}
