import type { ReadNode } from './program.ts'
import { variablesIn } from './variables.ts'

/** Variables that are never empty where a bot was started by a message. */
const alwaysSet: ReadonlySet<string> = new Set(['last_answer'])

interface TextProblem {
  readonly code: 'empty_variable'
  readonly nodeId: string
  readonly message: string
}

/** Finds variables of texts that may be empty and have no fallback. Those that the flow asks for or sets itself count as set. */
export function textProblems(nodes: readonly ReadNode[]): TextProblem[] {
  const written = new Set(nodes.flatMap(namesWritten))
  // The form alone knows its questions.
  const hasForm = nodes.some(({ settings }) => settings.kind === 'form')
  const isSet = (name: string) => alwaysSet.has(name) || written.has(name) || (hasForm && name.startsWith('session.'))
  return nodes.flatMap(({ id: nodeId, settings }) => {
    const names = textsOf(settings)
      .flatMap(variablesIn)
      .filter(({ name, hasFallback }) => !hasFallback && !isSet(name))
      .map(({ name }) => name)
    const [first] = names
    if (first === undefined) return []
    const message = `{{${first}}} may be empty. Write {{${first}|there}} to say what stands in its place.`
    return [{ code: 'empty_variable' as const, nodeId, message }]
  })
}

function namesWritten({ settings }: ReadNode): string[] {
  if (settings.kind === 'ask')
    return settings.save === 'session'
      ? [`session.${settings.attribute}`]
      : [settings.attribute, `attributes.${settings.attribute}`]
  if (settings.kind === 'http_call')
    return (settings.mappings ?? []).flatMap(({ attribute, save }) =>
      save === 'session' ? `session.${attribute}` : [attribute, `attributes.${attribute}`],
    )
  if (settings.kind === 'set_attribute') return [settings.attribute, `attributes.${settings.attribute}`]
  return []
}

function textsOf(settings: ReadNode['settings']): readonly string[] {
  switch (settings.kind) {
    case 'send_text':
    case 'buttons':
    case 'list':
      return [settings.text]
    case 'ask':
    case 'form':
      return [settings.text, settings.invalidText ?? '']
    case 'send_media':
      return [settings.caption ?? '']
    case 'send_template':
      return Object.values(settings.variables)
    case 'http_call':
      return [settings.path, settings.body ?? '', ...(settings.headers ?? []).map(({ value }) => value)]
    default:
      return []
  }
}
