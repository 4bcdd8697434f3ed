/*
 * Lets sources written for Slurm 25.11 call the library of 26.05, where a step stands for a job.
 * For trying only: of each configuration that is loaded the memory is lost.
 */
#include <slurm/slurm.h>
#include <slurm/slurm_errno.h>
#include <slurm/slurmdb.h>

#define STEP(job) ((slurm_step_id_t) {.job_id = (job), .step_het_comp = NO_VAL, .step_id = NO_VAL})

#define slurm_load_job(found, job, flags) slurm_load_job(found, STEP(job), flags)
#define slurm_kill_job(job, signal, flags) slurm_kill_job(STEP(job), signal, flags)
#define slurm_suspend(job) slurm_suspend(STEP(job))
#define slurm_resume(job) slurm_resume(STEP(job))
#define slurm_requeue(job, flags) slurm_requeue(STEP(job), flags)
#define slurm_notify_job(job, text) slurm_notify_job(STEP(job), text)
#define slurm_get_end_time(job, at) slurm_get_end_time(STEP(job), at)
#define slurm_get_rem_time(job) slurm_get_rem_time(STEP(job))
#define slurm_job_node_ready(job) slurm_job_node_ready(STEP(job))

static inline int job_of_process(pid_t process, uint32_t *job)
{
	slurm_step_id_t step = STEP(NO_VAL);
	int failed = slurm_pid2jobid(process, &step);

	*job = step.job_id;
	return failed;
}

#define slurm_pid2jobid job_of_process
#define slurm_free_ctl_conf(conf) ((void) (conf))

#ifndef ESLURM_ERROR_ON_DESC_TO_RECORD_COPY
#define ESLURM_ERROR_ON_DESC_TO_RECORD_COPY 2021
#endif
