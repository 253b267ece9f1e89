CREATE TABLE "console"."audit_repeats" (
	"key" text PRIMARY KEY NOT NULL,
	"started_at" timestamp (3) with time zone NOT NULL,
	"count" integer NOT NULL,
	"event" jsonb NOT NULL
);
--> statement-breakpoint
ALTER TABLE "console"."sessions" ADD COLUMN "last_active_at" timestamp (3) with time zone DEFAULT now() NOT NULL;--> statement-breakpoint
ALTER TABLE "console"."staff" ADD COLUMN "role_source" text DEFAULT 'claims' NOT NULL;--> statement-breakpoint
CREATE INDEX "audit_repeats_started" ON "console"."audit_repeats" USING btree ("started_at");--> statement-breakpoint
CREATE UNIQUE INDEX "staff_invitation" ON "console"."staff" USING btree (lower(email)) WHERE origin = 'oidc' and oidc_subject is null;--> statement-breakpoint
-- Before, everybody whom the provider knew became a viewer: these are judged by their claims at the next sign-in. Other roles were given by hand.
UPDATE "console"."staff" SET "role_source" = 'assigned' WHERE "origin" = 'oidc' AND "role" <> 'viewer';
--> statement-breakpoint
UPDATE "console"."sessions" SET "revoked_at" = now() WHERE "revoked_at" IS NULL
  AND "staff_id" IN (SELECT "id" FROM "console"."staff" WHERE "origin" = 'oidc' AND "role" = 'viewer');
