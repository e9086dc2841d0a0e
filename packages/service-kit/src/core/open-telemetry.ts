import {
  type Context,
  context,
  DiagLogLevel,
  diag,
  isSpanContextValid,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  TraceFlags,
  trace,
} from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import { W3CTraceContextPropagator } from '@opentelemetry/core'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { defaultResource, detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources'
import { BasicTracerProvider, BatchSpanProcessor } from '@opentelemetry/sdk-trace-base'
import { followCalls } from './traced-calls.ts'

/** Trace of one request. */
export interface RequestSpan {
  /** Runs `work` so that its log lines and its calls to others belong to this request. */
  run<T>(work: () => T): T
  /** @param operation an endpoint's stable name; it names the span. */
  end(outcome: { operation: string; status: number; requestId: string; code?: string | undefined }): void
}

export interface Tracing {
  /**
   * @param request.trusted whether the caller's `traceparent` (W3C Trace Context) is continued. A browser's is linked to only:
   * anyone may send one, and a caller who chose the trace ids would also choose what is kept.
   */
  startRequest(request: { method: string; traceparent: string | string[] | undefined; trusted: boolean }): RequestSpan
  /** Returns the `traceparent` of what runs now, to be stored beside work that others continue; `undefined` where it is not kept. */
  traceparent(): string | undefined
  /**
   * Runs work that others have stored as a part of their trace. Of work of several traces, which is done together, it is a part of the
   * first and linked to the others.
   * @param traceparents as they were stored; one that is none is ignored. Without any there is no trace.
   */
  continueTrace<T>(name: string, traceparents: readonly (string | undefined)[], work: () => Promise<T>): Promise<T>
  /** Returns ids for a log line; empty outside a request. */
  logFields(): { traceId?: string; spanId?: string }
  /** Sends the spans that are left, for three seconds at most. */
  stop(): Promise<void>
}

const stopMs = 3000
const complaintIntervalMs = 60_000
const propagator = new W3CTraceContextPropagator()
/** Further traces to which a span is linked. */
const maxLinks = 31

/** Tracing by OpenTelemetry. Endpoint, headers, sampler and batches follow its own environment variables. */
export function createTracing(serviceName: string, onFailure: () => void): Tracing {
  const complain = atMostEvery(complaintIntervalMs, onFailure)
  const nothing = () => undefined
  // The library's own words are not passed on: they may hold the collector's credentials.
  diag.setLogger(
    { error: complain, warn: nothing, info: nothing, debug: nothing, verbose: nothing },
    DiagLogLevel.ERROR,
  )
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable())
  const provider = new BasicTracerProvider({
    resource: defaultResource()
      .merge(resourceFromAttributes({ 'service.name': serviceName }))
      .merge(detectResources({ detectors: [envDetector] })),
    spanProcessors: [new BatchSpanProcessor(new OTLPTraceExporter())],
  })
  const tracer = provider.getTracer('parley')
  followCalls(tracer, propagator)

  return {
    startRequest: ({ method, traceparent, trusted }) => {
      const caller = readTraceparent(traceparent)
      const callerSpan = trace.getSpanContext(caller)
      const span = tracer.startSpan(
        method,
        {
          kind: SpanKind.SERVER,
          attributes: { 'http.request.method': method },
          ...(!trusted && callerSpan && isSpanContextValid(callerSpan) && { links: [{ context: callerSpan }] }),
        },
        trusted ? caller : ROOT_CONTEXT,
      )
      const requestContext = trace.setSpan(ROOT_CONTEXT, span)
      return {
        run: (work) => context.with(requestContext, work),
        end: ({ operation, status, requestId, code }) => {
          span.updateName(operation)
          span.setAttributes({
            'parley.operation': operation,
            'parley.request_id': requestId,
            'http.response.status_code': status,
            ...(code !== undefined && { 'error.type': code }),
          })
          if (status >= 500) span.setStatus({ code: SpanStatusCode.ERROR })
          span.end()
        },
      }
    },
    traceparent: () => {
      const span = trace.getSpanContext(context.active())
      if (!span || !isSpanContextValid(span) || !(span.traceFlags & TraceFlags.SAMPLED)) return undefined
      return `00-${span.traceId}-${span.spanId}-01`
    },
    continueTrace: async <T>(
      name: string,
      traceparents: readonly (string | undefined)[],
      work: () => Promise<T>,
    ): Promise<T> => {
      const known = [...new Set(traceparents)].flatMap((traceparent) => {
        const stored = readTraceparent(traceparent)
        const span = trace.getSpanContext(stored)
        return span && isSpanContextValid(span) ? [{ stored, context: span }] : []
      })
      const [first, ...others] = known
      if (!first) return work()
      const links = others.slice(0, maxLinks).map((other) => ({ context: other.context }))
      const span = tracer.startSpan(name, { kind: SpanKind.CONSUMER, links }, first.stored)
      try {
        return await context.with(trace.setSpan(ROOT_CONTEXT, span), work)
      } catch (error) {
        span.setStatus({ code: SpanStatusCode.ERROR })
        throw error
      } finally {
        span.end()
      }
    },
    logFields: () => {
      const span = trace.getSpanContext(context.active())
      return span ? { traceId: span.traceId, spanId: span.spanId } : {}
    },
    stop: () => {
      let timer: NodeJS.Timeout | undefined
      const enough = new Promise<void>((resolve) => {
        timer = setTimeout(resolve, stopMs)
      })
      const sent = provider.shutdown().catch(complain)
      return Promise.race([sent, enough]).finally(() => clearTimeout(timer))
    },
  }
}

const readTraceparent = (traceparent: string | string[] | undefined): Context =>
  typeof traceparent !== 'string'
    ? ROOT_CONTEXT
    : propagator.extract(ROOT_CONTEXT, traceparent, {
        get: (carrier, key) => (key === 'traceparent' ? carrier : undefined),
        keys: () => ['traceparent'],
      })

function atMostEvery(intervalMs: number, work: () => void): () => void {
  let silentUntil = 0
  return () => {
    if (Date.now() < silentUntil) return
    silentUntil = Date.now() + intervalMs
    work()
  }
}
