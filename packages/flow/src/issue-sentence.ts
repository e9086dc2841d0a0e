interface Issues {
  readonly issues: readonly { readonly message: string; readonly path: readonly PropertyKey[] }[]
}

/** Names of the settings in a sentence. */
const names: Record<string, string> = {
  keywords: 'keywords',
  event: 'event',
  filter: 'conditions',
  text: 'message',
  templateId: 'template',
  variables: 'template’s variables',
  attribute: 'attribute',
  choices: 'buttons',
  rows: 'rows',
  button: 'button’s text',
  value: 'value',
  tag: 'tag',
  to: 'person to assign to',
  note: 'note',
  mediaId: 'file',
  formId: 'form',
  screen: 'screen',
  caption: 'caption',
  expects: 'kind of answer',
  invalidText: 'message for other answers',
  save: 'place for the answer',
  tries: 'number of tries',
  match: 'comparison',
  when: 'moment',
  hours: 'hours',
  url: 'address',
  body: 'body',
  saveTo: 'attribute for the answer',
  botId: 'bot',
  comparison: 'comparison',
  seconds: 'time',
  timeoutSeconds: 'time',
  kind: 'kind of this node',
}

/** Returns the first fault of a node's settings, as a sentence for a person. */
export function sentenceOf({ issues }: Issues): string {
  const issue = issues[0]
  if (!issue) return 'Check the settings.'
  // The contract's own words count, where it has some.
  if (!/^(Invalid|Too |Unrecognized|Expected)/.test(issue.message)) return `${issue.message}.`
  const name = names[String(issue.path[0] ?? '')]
  return name === undefined ? 'Check the settings.' : `Check the ${name}.`
}
