import { JsonReporter, type SerializedError, type TestModule } from "vitest/node";

/** Writes vitest's JSON report with the errors that belong to no test, such as a rejection that nobody handled. */
export default class JsonReport extends JsonReporter {
  #errors: readonly SerializedError[] = [];

  override async onTestRunEnd(modules: readonly TestModule[], errors: readonly SerializedError[] = []): Promise<void> {
    this.#errors = errors;
    await super.onTestRunEnd(modules);
  }

  override async writeReport(report: string): Promise<void> {
    const unhandledErrors = this.#errors.map(({ message, VITEST_TEST_PATH: path }) => ({ message, path }));
    await super.writeReport(JSON.stringify({ ...JSON.parse(report), unhandledErrors }));
  }
}
