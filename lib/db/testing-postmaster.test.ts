import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { makeFolder } from './testing-folders.ts'
import { killPostmaster, pidFilePath, pidIn } from './testing-postmaster.ts'

test.each(['', '\n', '0\n', '-1\n', '1\n'])('a postmaster.pid that holds %j stands for no process', (content) => {
  const folder = makeFolder()
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  mkdirSync(path.dirname(pidFilePath(folder)))
  writeFileSync(pidFilePath(folder), content)
  expect(() => pidIn(folder)).toThrow('holds no process id')
  expect(killPostmaster(folder)).toBe(false)
})
