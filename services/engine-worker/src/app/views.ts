/** What readers of a session get. */
export interface DispatchedCallView {
  readonly run: string;
  readonly name: string;
  readonly arguments: string;
  readonly argumentsRef: string;
  readonly open: boolean;
}
