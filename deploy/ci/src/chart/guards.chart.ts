import { expect, test } from 'vitest'
import { exampleFile, renderText } from './render.ts'

/** Values that do not go together, on top of an example, and the beginning of what the chart says. */
const contradictions: readonly [sentence: string, example: string, sets: readonly string[]][] = [
  ['publicOrigin is missing', 'minimal', ['publicOrigin=']],
  ['keycloak.issuer is missing', 'minimal', ['keycloak.issuer=']],
  ['secrets.identityClientSecret has no source', 'minimal', ['existingSecret=']],
  ['secrets.redisUrl has a value and an existingSecret', 'separate-secrets', ['secrets.redisUrl.value=redis://x']],
  ['bff.image has a tag and a digest', 'mirror', ['bff.image.tag=v1']],
  ['profile.autoscaling.minReplicas is above maxReplicas', 'minimal', ['profile.autoscaling.minReplicas=9']],
  ['identity.autoscaling measures the CPU', 'minimal', ['identity.resources.requests.cpu=null']],
  ['caBundle names a configMap and a secret', 'own-ca', ['caBundle.secret=other']],
  ['ingress.tls is on and publicOrigin begins with http://', 'ingress', ['publicOrigin=http://app.example.com']],
  ['ingress.tls.secretName is given and ingress.tls.enabled is false', 'ingress', ['ingress.tls.enabled=false']],
  ['networkPolicy.ingressController is empty', 'minimal', ['ingress.enabled=true']],
  ['networkPolicy.prometheus is empty', 'minimal', ['serviceMonitor.enabled=true']],
  ['prometheusRule.runbooks is missing', 'minimal', ['prometheusRule.enabled=true']],
  ['publicOrigin names the port that its scheme has anyway', 'minimal', ['publicOrigin=https://app.example.com:443']],
]

test.each(contradictions)('%s', (sentence, example, sets) => {
  expect(() => renderText(exampleFile(example))).not.toThrow()
  expect(() => renderText(exampleFile(example), sets)).toThrow(sentence)
})

test.each([
  ['publicOrign=x'],
  ['bff.replica=2'],
  ['bff.autoscaling.maxReplica=2'],
  ['bff.env.REDIS_URL=redis://x'],
  ['secrets.redisUrl.values=x'],
  ['networkPolicy.redis.peer=x'],
  ['networkPolicy.prometheus[0].podSelecter.matchLabels.app=x'],
  ['publicOrigin=https://app.example.com/path'],
  ['bff.replicas=many'],
  ['pods.preStopSeconds=0'],
  ['tracing.endpoint=collector:4318'],
  ['bff.env.SESSION_CACHE_MS=5001'],
])('a value that the chart does not know is refused: %s', (set) => {
  expect(() => renderText(exampleFile('minimal'), [set])).toThrow(/values don't meet the specifications/)
})

/** Helm takes a default away where a value is `null`; a rule of a NetworkPolicy without ports would open all of them. */
test.each([
  ['networkPolicy'],
  ['networkPolicy.enabled'],
  ['networkPolicy.dns'],
  ['networkPolicy.dns.ports'],
  ['networkPolicy.keycloak'],
  ['networkPolicy.keycloak.ports'],
  ['networkPolicy.mongodb'],
  ['networkPolicy.mongodb.ports'],
  ['networkPolicy.redis'],
  ['networkPolicy.redis.ports'],
  ['networkPolicy.collector'],
  ['networkPolicy.collector.ports'],
  ['ingress'],
  ['secrets'],
])('what keeps others out cannot be taken away: %s', (value) => {
  expect(() => renderText(exampleFile('observability'), [`${value}=null`])).toThrow(/missing propert/)
})
