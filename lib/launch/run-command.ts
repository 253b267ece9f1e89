/**
 * Runs a command; `--help` prints its usage instead. It ends with the code that `run` returns, or with `failure` and the message of what
 * `run` throws.
 */
export async function runCommand(
  run: (args: string[]) => Promise<number>,
  { usage, failure = 2 }: { usage?: string; failure?: number } = {},
): Promise<void> {
  const args = process.argv.slice(2)
  try {
    if (usage !== undefined && args.includes('--help')) console.log(usage)
    else process.exitCode = await run(args)
  } catch (error) {
    console.error(error instanceof Error ? error.message : String(error))
    process.exitCode = failure
  }
}
