import DeleteOutlined from '@ant-design/icons/DeleteOutlined'
import PlusOutlined from '@ant-design/icons/PlusOutlined'
import { buttonTexts, type TemplateButton } from '@parley/contracts/templates/template-buttons'
import { templateLimits } from '@parley/contracts/templates/template-limits'
import { Button, Input } from 'antd'
import { lazy, Suspense } from 'react'
import { useFieldArray, useFormContext } from 'react-hook-form'
import { IconButton } from '../../../ui/icon-button.tsx'
import { CharacterCount } from './character-count.tsx'
import { CountVisits } from './count-visits.tsx'
import styles from './editor.module.css'
import { TemplateField, useFinding } from './findings.tsx'
import { placeOfNext, type TemplateFormValues } from './form-values.ts'

const kinds = [
  { kind: 'quick_reply', label: 'Quick reply', most: templateLimits.buttons },
  { kind: 'url', label: 'Open website', most: templateLimits.urlButtons },
  { kind: 'phone', label: 'Call phone', most: 1 },
  { kind: 'copy_code', label: 'Copy code', most: 1 },
  { kind: 'flow', label: 'Open form', most: 1 },
  { kind: 'voice_call', label: 'Call on WhatsApp', most: 1 },
  { kind: 'catalog', label: 'Show catalogue', most: 1 },
  { kind: 'products', label: 'Show products', most: 1 },
  { kind: 'product', label: 'Show the product', most: 1 },
] as const satisfies readonly { kind: TemplateButton['kind']; label: string; most: number }[]

const fresh = {
  quick_reply: { kind: 'quick_reply', text: '' },
  url: { kind: 'url', text: '', url: '' },
  phone: { kind: 'phone', text: '', phone: '' },
  // WhatsApp writes the button's text.
  copy_code: { kind: 'copy_code', text: buttonTexts.copy_code, code: '' },
  flow: { kind: 'flow', text: '', form: '', screen: '' },
  voice_call: { kind: 'voice_call', text: '', minutes: undefined },
  catalog: { kind: 'catalog', text: buttonTexts.catalog, product: '' },
  products: { kind: 'products', text: buttonTexts.products, product: '', sections: [{ title: '', products: [] }] },
  product: { kind: 'product', text: buttonTexts.product },
} as const satisfies Record<TemplateButton['kind'], TemplateButton>

const ButtonExtras = lazy(async () => ({ default: (await import('./button-extras.tsx')).ButtonExtras }))

/** Fields of up to ten buttons under the message; WhatsApp limits each kind, and keeps quick replies together. */
export function ButtonsField() {
  const { control, getValues, formState } = useFormContext<TemplateFormValues>()
  const { fields, insert, remove } = useFieldArray({ control, name: 'buttons' })
  const finding = useFinding('buttons')
  const problem = formState.errors.buttons?.root?.message ?? formState.errors.buttons?.message ?? finding
  const isFull = (kind: TemplateButton['kind'], most: number) =>
    fields.length >= templateLimits.buttons || fields.filter((field) => field.kind === kind).length >= most
  return (
    <fieldset className={styles['group']} aria-describedby={problem && 'buttons-problem'}>
      <legend>
        Buttons <span className={styles['optional']}>(optional)</span>
      </legend>
      <p className={styles['lead']}>
        {fields.length} of {templateLimits.buttons}. At most {templateLimits.urlButtons} open a website, and one does
        each of the rest. A catalogue or products stand alone.
      </p>
      {fields.length > 0 && (
        <ol className={styles['buttons']}>
          {fields.map(({ id, kind }, index) => (
            <li key={id} className={styles['button']}>
              <ButtonFields index={index} kind={kind} />
              <IconButton label={`Remove button ${index + 1}`} onClick={() => remove(index)}>
                <DeleteOutlined aria-hidden />
              </IconButton>
            </li>
          ))}
        </ol>
      )}
      {problem && (
        <p id="buttons-problem" className={styles['problem']}>
          {problem}
        </p>
      )}
      <div className={styles['adders']}>
        {/* That of a product comes with its header. */}
        {kinds.slice(0, -1).map(({ kind, label, most }) => (
          <Button
            key={kind}
            icon={<PlusOutlined aria-hidden />}
            disabled={isFull(kind, most)}
            onClick={() => {
              const index = placeOfNext(kind, getValues('buttons'))
              insert(index, fresh[kind], {
                shouldFocus: true,
                focusName: `buttons.${index}.${kind === 'copy_code' ? 'code' : kind in buttonTexts ? 'product' : 'text'}`,
              })
            }}
          >
            {label}
          </Button>
        ))}
      </div>
    </fieldset>
  )
}

function ButtonFields({ index, kind }: { index: number; kind: TemplateButton['kind'] }) {
  const { control } = useFormContext<TemplateFormValues>()
  const label = kinds.find((known) => known.kind === kind)?.label ?? ''
  return (
    <div className={styles['buttonFields']}>
      {kind === 'copy_code' && (
        <TemplateField
          control={control}
          name={`buttons.${index}.code`}
          label="Code that customers copy"
          hint="The same code for everyone, or one variable, such as {{code}}, for a different code per customer."
        >
          {(field) => <Input {...field} autoComplete="off" spellCheck={false} />}
        </TemplateField>
      )}
      {!(kind in buttonTexts) && (
        <TemplateField
          control={control}
          name={`buttons.${index}.text`}
          label={`${label} text`}
          aside={<CharacterCount name={`buttons.${index}.text`} max={templateLimits.buttonText} />}
        >
          {(field) => <Input {...field} dir="auto" autoComplete="off" />}
        </TemplateField>
      )}
      {kind === 'url' && (
        <TemplateField
          control={control}
          name={`buttons.${index}.url`}
          label="Web address"
          aside={<CharacterCount name={`buttons.${index}.url`} max={templateLimits.url} />}
        >
          {(field) => (
            <Input {...field} inputMode="url" placeholder="https://example.com/orders/{{1}}" autoComplete="off" />
          )}
        </TemplateField>
      )}
      {kind === 'url' && <CountVisits index={index} />}
      {kind === 'phone' && <ButtonPhone name={`buttons.${index}.phone`} label="Phone number" />}
      {kind === 'product' && <p className={styles['wide']}>“View” shows the product above the message.</p>}
      {opens.has(kind) && (
        <Suspense>
          <ButtonExtras index={index} kind={kind} />
        </Suspense>
      )}
    </div>
  )
}

/** Kinds that open something in WhatsApp. */
const opens = new Set<TemplateButton['kind']>(['flow', 'voice_call', 'catalog', 'products'])

/** Edits the number that a button calls, below the message or on a card. */
export function ButtonPhone({
  name,
  label,
}: {
  name: `buttons.${number}.phone` | `cards.${number}.buttons.${number}.phone`
  label: string
}) {
  const { control } = useFormContext<TemplateFormValues>()
  return (
    <TemplateField control={control} name={name} label={label}>
      {(field) => (
        <Input
          {...field}
          type="tel"
          placeholder="+91 80 4123 4567"
          autoComplete="off"
          maxLength={templateLimits.phone}
        />
      )}
    </TemplateField>
  )
}
