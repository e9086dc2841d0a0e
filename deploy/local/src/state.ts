import { z } from 'zod'
import type { Choice, ComponentName } from './component.ts'
import { componentNames } from './component.ts'
import { readJson, writeJson } from './files.ts'
import { Problem } from './problem.ts'

const choiceSchema = z.object({ source: z.enum(['environment', 'local', 'container']), what: z.string() })
const stateSchema = z.object({ choices: z.partialRecord(z.enum(componentNames), choiceSchema) })

/** Remembers which backing each component had, so that a later start never silently shows another, empty one. */
export function openState(file: string) {
  const choices = { ...readJson(file, stateSchema)?.choices }
  return {
    /**
     * Compares with the choice of the start before.
     * @throws Problem if it is another one: the data of the old choice would be out of sight.
     */
    check(component: ComponentName, label: string, now: Choice) {
      const before = choices[component]
      if (!before || (before.source === now.source && before.what === now.what)) return
      throw new Problem(
        `${label} was ${describe(before)} before and would now be ${describe(now)}, without the existing data.`,
        `Go back to what it was, or start empty with: npm start -- --fresh`,
      )
    },
    keep(component: ComponentName, choice: Choice) {
      choices[component] = choice
      writeJson(file, { choices })
    },
  }
}

const describe = (choice: Choice): string =>
  choice.source === 'environment'
    ? `the server ${choice.what} (from the environment)`
    : `${choice.what} ${choice.source === 'container' ? 'as a container' : 'on this machine'}`
