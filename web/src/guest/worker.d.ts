// A worker that the build inlines into the script.
declare module '*?worker&inline' {
  const SolverWorker: new () => Worker;
  export default SolverWorker;
}
