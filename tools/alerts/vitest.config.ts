import project from '../../vitest.config.ts'

/** The shipped rules with a real Prometheus and real faults; too slow for the usual tests. */
export default {
  ...project,
  test: {
    ...project.test,
    include: ['tools/alerts/alerts-*.ts'],
    maxWorkers: 1,
    maxConcurrency: 4,
    testTimeout: 900_000,
    // Between the fault and the alert are other programs, each with its own interval.
    retry: 1,
  },
}
