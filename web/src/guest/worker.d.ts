// A worker that the builder puts into the script itself.
declare module '*?worker&inline' {
  const SolverWorker: new () => Worker;
  export default SolverWorker;
}
