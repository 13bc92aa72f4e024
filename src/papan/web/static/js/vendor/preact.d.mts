// The part of Preact that the pages use, for the checker of types alone: no browser reads this.

export type Child = VNode | string | number | bigint | boolean | null | undefined | Child[];

export interface VNode {
  type: unknown;
  props: Record<string, any>;
}

type Handler = (event: any) => unknown;

export interface Attributes {
  [name: string]: any;
  key?: string | number;
  ref?: ((element: any) => void) | { current: any };
  onblur?: Handler;
  onchange?: Handler;
  onclick?: Handler;
  onclickCapture?: Handler;
  onfocus?: Handler;
  oninput?: Handler;
  onkeydown?: Handler;
  onpointerenter?: Handler;
  onpointerleave?: Handler;
  onsubmit?: Handler;
  ontoggle?: Handler;
}

export type Drawer<P> = ((props: P) => Child) | (new (props: P) => Component<P>);

export function h<P>(part: Drawer<P>, props: P & { key?: string | number }, ...children: Child[]): VNode;
export function h(tag: string, attributes?: Attributes, ...children: Child[]): VNode;

export function render(tree: Child, place: Element): void;

export function createRef(): { current: any };

export function Fragment(props: { children?: Child }): Child;

export class Component<P = {}> {
  constructor(props: P);
  props: P & { children?: Child };
  forceUpdate(done?: () => void): void;
  componentDidMount(): void;
  componentDidUpdate(before: P): void;
  componentWillUnmount(): void;
  shouldComponentUpdate(next: P): boolean;
  render(props: P & { children?: Child }): Child;
}
