import DeleteOutlined from '@ant-design/icons/DeleteOutlined'
import { type NodeSettings, nodeSettingsSchema } from '@parley/contracts/automation/flow'
import { defaultCallSeconds, httpMethods } from '@parley/contracts/automation/http-request'
import { fillCall } from '@parley/flow/fill-call'
import { Input } from 'antd'
import { type Control, useWatch } from 'react-hook-form'
import { Link } from '../lib/navigation.ts'
import { IconButton } from '../ui/icon-button.tsx'
import { type Choices, useChoices } from './builder-context.ts'
import styles from './inspector.module.css'
import { Mappings, Rows, useRows, wrong } from './mapping-settings.tsx'
import type { NodeFormValues } from './node-form-values.ts'
import { MessageSetting, NumberSetting, SelectSetting, TextSetting } from './setting-fields.tsx'

type FormControl = Control<NodeFormValues>

/** A call to another system: the connection fixes host and secrets, the step adds the rest. */
export function HttpSettings({ control }: { control: FormControl }) {
  const { connections = [] } = useChoices()
  const settings = useWatch({ control, name: 'settings' })
  return (
    <>
      <SelectSetting
        control={control}
        name="connectionId"
        label="Connection"
        placeholder="Choose a connection"
        options={connections.map(({ id, name }) => ({ value: id, label: name }))}
      />
      <p className={styles['note']}>It holds the host and its secrets. Owners and admins make it in the settings.</p>
      <Link to="/settings?tab=connections">Manage connections</Link>
      <SelectSetting
        control={control}
        name="method"
        label="Method"
        options={httpMethods.map((value) => ({ value, label: value }))}
      />
      <TextSetting
        control={control}
        name="path"
        label="Path"
        hint="As in /orders/{{session.order}}?full=1. Values are encoded."
        maxLength={2000}
      />
      <Headers control={control} />
      {settings['method'] !== 'GET' && (
        <MessageSetting
          control={control}
          name="body"
          label="Body (JSON)"
          hint="Variables stand between quotation marks."
          optional
          maxLength={10_000}
        />
      )}
      <Mappings control={control} legend="Keep from the answer" most={10} />
      <NumberSetting
        control={control}
        name="timeoutSeconds"
        label="Seconds for the answer"
        placeholder={String(defaultCallSeconds)}
        optional
        max={30}
      />
      <Preview settings={settings} connections={connections} />
    </>
  )
}

function Headers({ control }: { control: FormControl }) {
  const { rows, add, change, remove } = useRows<{ name: string; value: string }>(control, 'headers')
  return (
    <Rows legend="Headers" addLabel="Add header" isFull={rows.length >= 10} onAdd={() => add({ name: '', value: '' })}>
      {rows.map(({ name, value }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: rows have no identity but their place.
        <div key={index} className={styles['choice']}>
          <Input
            aria-label={`Name of header ${index + 1}`}
            placeholder="Name"
            value={name}
            maxLength={64}
            {...wrong(name.trim() === '')}
            onChange={({ target }) => change(index, { name: target.value })}
          />
          <IconButton label={`Remove header ${index + 1}`} onClick={() => remove(index)}>
            <DeleteOutlined aria-hidden />
          </IconButton>
          <Input
            aria-label={`Value of header ${index + 1}`}
            placeholder="Value"
            value={value}
            maxLength={1000}
            dir="auto"
            onChange={({ target }) => change(index, { value: target.value })}
          />
        </div>
      ))}
    </Rows>
  )
}

/** Made-up customer for whom a call is shown as it would leave. */
const someone = {
  person: { name: 'Asha Rao', phone: '+919876543210', tags: [], attributes: {} },
  session: {},
  lastAnswer: 'an answer',
}

const hidden = '••••'

function authenticationLine(authentication: NonNullable<Choices['connections']>[number]['authentication']) {
  switch (authentication.kind) {
    case 'none':
      return []
    case 'bearer':
      return [`Authorization: Bearer ${hidden}`]
    case 'basic':
      return [`Authorization: Basic ${authentication.username}:${hidden}`]
    case 'header':
      return [`${authentication.header}: ${hidden}`]
  }
}

/** The request as it would leave, with a made-up customer; variables of the run are empty in it. */
function Preview({
  settings,
  connections,
}: {
  settings: NodeFormValues['settings']
  connections: NonNullable<Choices['connections']>
}) {
  const parsed = nodeSettingsSchema.safeParse(settings)
  if (!parsed.success || parsed.data.kind !== 'http_call') return null
  const call: Extract<NodeSettings, { kind: 'http_call' }> = parsed.data
  const connection = connections.find(({ id }) => id === call.connectionId)
  const request = fillCall(call, someone)
  if (!connection || typeof request === 'string') return null
  const lines = [
    `${request.method} ${connection.baseUrl}${request.path}`,
    ...authenticationLine(connection.authentication),
    ...(request.method === 'GET' ? [] : [`Idempotency-Key: ${hidden}`]),
    ...(request.headers ?? []).map(({ name, value }) => `${name}: ${value}`),
    ...(request.body === undefined ? [] : ['', request.body]),
  ]
  return (
    <figure className={styles['preview']}>
      <figcaption>The request, for a made-up customer</figcaption>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by key. */}
      <pre tabIndex={0}>{lines.join('\n')}</pre>
    </figure>
  )
}
