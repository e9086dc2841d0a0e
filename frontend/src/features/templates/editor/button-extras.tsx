import DeleteOutlined from '@ant-design/icons/DeleteOutlined'
import PlusOutlined from '@ant-design/icons/PlusOutlined'
import type { TemplateButton } from '@parley/contracts/templates/template-buttons'
import { templateLimits } from '@parley/contracts/templates/template-limits'
import { useQuery } from '@tanstack/react-query'
import { Button, Input, InputNumber, Select } from 'antd'
import { get, useFieldArray, useFormContext } from 'react-hook-form'
import { formChoices, useReadForms } from '../../../lib/choices/forms.ts'
import { useIsRefused } from '../../../lib/choices/members.ts'
import { explain } from '../../../lib/explain.ts'
import { IconButton } from '../../../ui/icon-button.tsx'
import styles from './editor.module.css'
import { TemplateField, useFinding } from './findings.tsx'
import type { TemplateFormValues } from './form-values.ts'

/** Edits what a button opens in WhatsApp: a form, a call, the catalogue or products. */
export function ButtonExtras({ index, kind }: { index: number; kind: TemplateButton['kind'] }) {
  if (kind === 'flow') return <FormFields index={index} />
  if (kind === 'voice_call') return <CallFields index={index} />
  if (kind === 'catalog' || kind === 'products') return <ShopFields index={index} kind={kind} />
  return null
}

function FormFields({ index }: { index: number }) {
  const { control, watch } = useFormContext<TemplateFormValues>()
  const { data, error, isPending } = useQuery(formChoices())
  const read = useReadForms()
  const mayNotAsk = useIsRefused('templates:write')
  const chosen = watch(`buttons.${index}.form`)
  const usable = data?.items.filter(({ state, hasEndpoint }) => state === 'published' && !hasEndpoint) ?? []
  const isOffered = !chosen || usable.some(({ id }) => id === chosen)
  const name = data?.items.find(({ id }) => id === chosen)?.name ?? 'A form'
  const isReading = read.isPending || data?.running === true
  return (
    <>
      <TemplateField control={control} name={`buttons.${index}.form`} label="Form">
        {(field) => (
          <Select
            {...field}
            value={chosen || undefined}
            placeholder={isPending ? 'Forms are being read…' : 'Choose a form'}
            options={[
              ...usable.map((form) => ({ value: form.id, label: form.name })),
              ...(isOffered || !data ? [] : [{ value: chosen, label: `${name} (cannot be sent)` }]),
            ]}
          />
        )}
      </TemplateField>
      <TemplateField
        control={control}
        name={`buttons.${index}.screen`}
        label="First screen"
        optional
        hint="Empty: the form’s own first screen. The answers come back into the conversation."
      >
        {(field) => (
          <Input
            {...field}
            value={field.value ?? ''}
            autoComplete="off"
            spellCheck={false}
            maxLength={templateLimits.screen}
          />
        )}
      </TemplateField>
      {(error || (data && usable.length === 0)) && (
        <p className={styles['wide']} role={error ? 'alert' : undefined}>
          {error
            ? explain(error, 'The forms could not be read.')
            : 'There is no form to choose. Make one in WhatsApp Manager under “Flows”, without an endpoint, and publish it.'}
        </p>
      )}
      {data && !mayNotAsk && usable.length === 0 && (
        <Button loading={isReading} onClick={() => read.mutate(undefined)}>
          {isReading ? 'WhatsApp is asked…' : 'Look for new forms'}
        </Button>
      )}
    </>
  )
}

function CallFields({ index }: { index: number }) {
  const { control } = useFormContext<TemplateFormValues>()
  return (
    <TemplateField
      control={control}
      name={`buttons.${index}.minutes`}
      label="Can be pressed for"
      optional
      hint="Empty: seven days. The number that sends it must take calls at WhatsApp."
    >
      {({ onChange, value, ...field }) => (
        <InputNumber
          {...field}
          className={styles['number'] ?? ''}
          value={value ?? null}
          onChange={(minutes) => onChange(minutes ?? undefined)}
          inputMode="numeric"
          suffix="minutes"
        />
      )}
    </TemplateField>
  )
}

/** One line for all fields of products says where their ids come from. */
function ShopFields({ index, kind }: { index: number; kind: 'catalog' | 'products' }) {
  const { control } = useFormContext<TemplateFormValues>()
  return (
    <>
      <p className={styles['wide']}>
        Products are named by their content IDs, which stand in Meta Commerce Manager under your catalogue’s items.
      </p>
      <TemplateField
        control={control}
        name={`buttons.${index}.product`}
        label="Product shown above the message"
        optional={kind === 'catalog'}
        hint={
          kind === 'catalog'
            ? 'Empty: the catalogue’s first product. One variable, such as {{product}}, shows each contact another one.'
            : 'One variable, such as {{product}}, shows each contact another one.'
        }
      >
        {(field) => (
          <Input
            {...field}
            value={field.value ?? ''}
            autoComplete="off"
            spellCheck={false}
            maxLength={templateLimits.product}
          />
        )}
      </TemplateField>
      {kind === 'products' && <Sections index={index} />}
    </>
  )
}

/** Titles of products, and the products below each. */
function Sections({ index }: { index: number }) {
  const { control, formState } = useFormContext<TemplateFormValues>()
  const { fields, append, remove } = useFieldArray({ control, name: `buttons.${index}.sections` })
  const finding = useFinding(`buttons.${index}.sections`)
  const at: { message?: string; root?: { message?: string } } = get(formState.errors, `buttons.${index}.sections`) ?? {}
  const problem = at.root?.message ?? at.message ?? finding
  return (
    <fieldset className={styles['sections']}>
      <legend>Sections</legend>
      {fields.map(({ id }, place) => (
        <div key={id} className={styles['section']}>
          <TemplateField
            control={control}
            name={`buttons.${index}.sections.${place}.title`}
            label={`Title of section ${place + 1}`}
          >
            {(field) => <Input {...field} dir="auto" autoComplete="off" maxLength={templateLimits.sectionTitle} />}
          </TemplateField>
          <TemplateField
            control={control}
            name={`buttons.${index}.sections.${place}.products`}
            label={`Products of section ${place + 1}`}
            hint="Press Enter after each content ID."
          >
            {(field) => (
              <Select {...field} mode="tags" open={false} suffixIcon={null} tokenSeparators={[',', ' ', '\n']} />
            )}
          </TemplateField>
          {fields.length > 1 && (
            <IconButton label={`Remove section ${place + 1}`} onClick={() => remove(place)}>
              <DeleteOutlined aria-hidden />
            </IconButton>
          )}
        </div>
      ))}
      {problem && <p className={styles['problem']}>{problem}</p>}
      <Button
        icon={<PlusOutlined aria-hidden />}
        disabled={fields.length >= templateLimits.sections}
        onClick={() => append({ title: '', products: [] }, { shouldFocus: true })}
      >
        Add section
      </Button>
    </fieldset>
  )
}
