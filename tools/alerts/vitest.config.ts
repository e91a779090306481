import project from '../../vitest.config.ts'

/** The shipped rules, with a real Prometheus and real faults: longer than a test may take. */
export default {
  ...project,
  test: {
    ...project.test,
    include: ['tools/alerts/alerts-*.ts'],
    maxWorkers: 1,
    maxConcurrency: 4,
    testTimeout: 900_000,
    // What stands between the fault and the alert are other programs, each with its own beat.
    retry: 1,
  },
}
