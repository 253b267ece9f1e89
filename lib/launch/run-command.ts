/** Runs a command. It ends with the code that `run` returns, or with `failure` and the message of what `run` throws. */
export async function runCommand(run: (args: string[]) => Promise<number>, failure = 2): Promise<void> {
  try {
    process.exitCode = await run(process.argv.slice(2))
  } catch (error) {
    console.error(error instanceof Error ? error.message : String(error))
    process.exitCode = failure
  }
}
