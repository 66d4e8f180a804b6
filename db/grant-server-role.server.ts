import type { Sql } from "postgres";
import { z } from "zod";
import { StartupError } from "#app/startup-error.ts";
import { inboxTables } from "./distribution/inbox-tables.ts";
import { lostNode } from "./distribution/lost-node.ts";
import { ownWorkerConnections } from "./distribution/worker-connections.ts";
import { serverGrants } from "./server-grants.ts";

export type DatabaseRoles = {
  /** The role that owns the tables and runs migrations. */
  ownerUrl: string;
  /**
   * The server's role, which owns nothing, with a session of PostgreSQL. Equals `ownerUrl` when the roles are not
   * separated.
   */
  serverUrl: string;
  /** The same role where requests run their statements; a pooler may assign its connections by transaction. */
  poolUrl: string;
  /** Whether the server's role is created at the start, with the password of its URL: only in the embedded database. */
  makesRole: boolean;
};

type GrantOptions = Pick<DatabaseRoles, "serverUrl" | "makesRole"> & {
  /** Whether to leave the role what else it may do: a newer version, whose servers may be running, granted it. */
  keepsOthers: boolean;
};

/**
 * Grants the server's role what it needs in the migrated database and revokes everything else. `sql` is the owner's
 * connection.
 */
export async function grantServerRole(sql: Sql, { serverUrl, makesRole, keepsOthers }: GrantOptions): Promise<void> {
  const url = new URL(serverUrl);
  const name = decodeURIComponent(url.username);
  if (makesRole) await makeRole(sql, { name, password: decodeURIComponent(url.password) });
  await rejectPrivilegedRole(sql, name);
  try {
    await grantAll(sql, quoted(name), keepsOthers);
  } catch (error) {
    // A worker that is lost cannot be told again what it knows, and the server starts without it.
    if (!lostNode(error)) throw error;
    await sql`rollback`;
    if (!(await hasPrivileges(sql, name))) throw error;
  }
}

async function grantAll(sql: Sql, role: string, keepsOthers: boolean): Promise<void> {
  await sql.unsafe(`
    begin;
    select ${ownWorkerConnections};
    ${keepsOthers ? "" : `revoke all on all tables in schema public from ${role};`}
    grant usage on schema public, graphile_worker, drizzle to ${role};
    grant select on drizzle.__drizzle_migrations to ${role};
    grant select on ${tables("view")} to ${role};
    grant select, insert on ${tables("record", "lockable", "fixed", "free")} to ${role};
    -- Who locks a row needs to update some column of it; a trigger refuses to change the id.
    grant update (id) on ${tables("lockable")} to ${role};
    grant update on ${tables("fixed", "free")} to ${role};
    grant delete on ${tables("free")} to ${role};
    ${inboxTables.map((table) => grantIfThere(table, role)).join("\n")}
    grant usage on all sequences in schema public, graphile_worker to ${role};
    grant select, insert, update, delete on all tables in schema graphile_worker to ${role};
    ${jobPolicies(role)}
    do $$ begin
      execute format('revoke temporary on database %I from public', current_database());
      revoke create on schema public from public;
    exception when insufficient_privilege then null; end $$;
    commit;
  `);
}

const privileges: Record<(typeof serverGrants)[string], readonly string[]> = {
  view: ["select"],
  record: ["select", "insert"],
  lockable: ["select", "insert"],
  fixed: ["select", "insert", "update"],
  free: ["select", "insert", "update", "delete"],
};

/** Whether the role has what every table of this version grants. */
async function hasPrivileges(sql: Sql, name: string): Promise<boolean> {
  const needed = Object.entries(serverGrants).flatMap(([table, grant]) =>
    privileges[grant].map((privilege) => ({ table, privilege })),
  );
  const [row] = z.array(z.object({ granted: z.boolean() })).parse(
    await sql`
      select coalesce(bool_and(has_table_privilege(${name}, to_regclass('public.' || quote_ident(needed.name)), needed.privilege)), false) as granted
      from unnest(${needed.map(({ table }) => table)}::text[], ${needed.map(({ privilege }) => privilege)}::text[]) as needed (name, privilege)`,
  );
  return row?.granted === true;
}

function grantIfThere(table: string, role: string): string {
  return `do $$ begin
    if to_regclass('public.${table}') is not null then grant select, insert, update, delete on public.${table} to ${role}; end if;
  end $$;`;
}

function tables(...grants: string[]): string {
  const names = Object.entries(serverGrants).filter(([, grant]) => grants.includes(grant));
  return names.map(([name]) => `public.${quoted(name)}`).join(", ");
}

/** graphile-worker's tables have row level security without policies, so only their owner sees their rows. */
function jobPolicies(role: string): string {
  return `do $$ declare job_table regclass; begin
    for job_table in select oid from pg_class
      where relnamespace = 'graphile_worker'::regnamespace and relkind in ('r', 'p') and relrowsecurity
    loop
      execute format('drop policy if exists endcap_server on %s', job_table);
      execute format('create policy endcap_server on %s to %s using (true) with check (true)', job_table, ${literal(role)});
    end loop;
  end $$;`;
}

async function makeRole(sql: Sql, { name, password }: { name: string; password: string }): Promise<void> {
  await sql.unsafe(`do $$ begin
    if not exists (select from pg_roles where rolname = ${literal(name)}) then create role ${quoted(name)}; end if;
  end $$;
  alter role ${quoted(name)} login password ${literal(password)}
    nosuperuser nocreatedb nocreaterole noreplication nobypassrls`);
}

/** Privileges of a superuser or the owner cannot be restricted. */
async function rejectPrivilegedRole(sql: Sql, name: string): Promise<void> {
  const [role] = z.array(z.object({ powerful: z.boolean() })).parse(
    await sql`
      select rolsuper or rolcreaterole or rolbypassrls or pg_has_role(oid, current_user, 'member') as powerful
      from pg_roles where rolname = ${name}`,
  );
  if (!role) throw new StartupError(`DATABASE_URL: the role ${name} does not exist`);
  if (role.powerful) {
    throw new StartupError(
      `DATABASE_URL: with DATABASE_OWNER_URL, its role ${name} must not be the owner, a superuser or able to create roles`,
    );
  }
}

function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

function literal(text: string): string {
  if (text.includes("$")) throw new StartupError("DATABASE_URL: the name of its role must not contain $");
  return `'${text.replaceAll("'", "''")}'`;
}
