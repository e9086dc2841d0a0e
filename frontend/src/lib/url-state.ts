import { useCallback, useMemo } from 'react'
import { z } from 'zod'
import { useIsLeaving, useSearchParams } from './navigation.ts'

/**
 * A screen's filters, paging and open dialog, kept in the address so that reload, back button and a shared link keep them.
 * A parameter that does not fit its schema is as if it were absent. Lists are parted by commas.
 * @returns the state, and a setter that changes the named parameters; `undefined`, empty text and an empty list remove
 * one. `replace` takes the place of the history entry (typing in a search box), else the back button undoes the change. It does
 * nothing once the person is on the way to another screen: a screen that tidies up its own address must not hold them back.
 */
export function useUrlState<S extends z.ZodRawShape>(
  shape: S,
): [z.infer<z.ZodObject<S>>, (patch: Partial<z.input<z.ZodObject<S>>>, how?: { replace?: boolean }) => void] {
  const [parameters, setParameters] = useSearchParams()
  const isLeaving = useIsLeaving()
  const text = parameters.toString()
  const state = useMemo(() => readState(shape, new URLSearchParams(text)), [shape, text])
  const change = useCallback(
    (patch: Record<string, unknown>, { replace = false } = {}) => {
      if (replace && isLeaving()) return
      // The address itself, not the render's copy of it: a change may follow another before the screen has seen that.
      setParameters(withPatch(new URLSearchParams(window.location.search), patch), { replace })
    },
    [setParameters, isLeaving],
  )
  return [state, change]
}

function readState<S extends z.ZodRawShape>(shape: S, parameters: URLSearchParams): z.infer<z.ZodObject<S>> {
  const valid = Object.entries(shape).flatMap(([name, schema]) => {
    const text = parameters.get(name)
    return text !== null && z.safeParse(schema, text).success ? [[name, text]] : []
  })
  return z.object(shape).parse(Object.fromEntries(valid))
}

function withPatch(before: URLSearchParams, patch: Record<string, unknown>): URLSearchParams {
  const after = new URLSearchParams(before)
  for (const [name, value] of Object.entries(patch)) {
    const text = value === undefined || value === null ? '' : String(value)
    if (text === '') after.delete(name)
    else after.set(name, text)
  }
  return after
}
